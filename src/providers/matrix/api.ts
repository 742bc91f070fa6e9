import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint } from '../kit.ts';
import type { Answer, Send } from '../provider.ts';

/** The opened fields of one attempt. */
export type MatrixConfig = {
  readonly homeServer: string;
  readonly accessToken: Secret;
  readonly internalRoomId: string;
  readonly actions?: { readonly users?: readonly string[] };
};

/** What every call starts from. */
export type MatrixParts = { readonly config: MatrixConfig; readonly send: Send };

const api = (homeServer: string, path: string, query?: Readonly<Record<string, string>>): URL =>
  endpoint(homeServer, `_matrix/client/v3/${path}`, query);

/** A path below the room. */
export function inRoom({ internalRoomId }: Pick<MatrixConfig, 'internalRoomId'>, path: string): string {
  return `rooms/${encodeURIComponent(internalRoomId).replaceAll('!', '%21')}/${path}`;
}

/** Asks for something; nobody is told anything. */
export function askMatrix(
  { config: { homeServer, accessToken }, send }: MatrixParts,
  path: string,
  more: { readonly query?: Readonly<Record<string, string>>; readonly maxAnswerBytes?: number } = {},
): Promise<Answer> {
  const { query, ...rest } = more;
  return send({ method: 'GET', url: api(homeServer, path, query), headers: bearer(accessToken), ...rest });
}

/** Sends an event to the room, or finds it sent: a transaction is carried out once. */
export function sayInRoom(
  { config, send }: MatrixParts,
  transaction: string,
  json: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const url = api(config.homeServer, inRoom(config, `send/m.room.message/${transaction}`));
  return send({ method: 'PUT', url, headers: bearer(config.accessToken), json });
}
