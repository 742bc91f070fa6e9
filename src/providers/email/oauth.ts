import { createHash } from 'node:crypto';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { Outcome } from '../../model/delivery.ts';
import { openSecret, Secret } from '../../model/secret.ts';
import { beforehand, type ConfigOf, classes, denied, failureOfCode, group, httpUrl, secret, string } from '../kit.ts';
import type { Reading, Send } from '../provider.ts';

const oauthFields = {
  accessToken: secret({ description: 'Access token that somebody else keeps fresh.' }),
  tokenURL: httpUrl({ description: 'Token endpoint that gives access tokens, instead of `accessToken`.' }),
  clientId: string({ description: 'Client that asks it.' }),
  clientSecret: secret({ description: 'Secret of the client.' }),
  refreshToken: secret({ description: 'Refresh token; without it the client asks for itself.' }),
  scope: string({ description: 'Scope to ask for.' }),
} as const;

/** `oauth` of the block. */
export const oauthField = group(
  {
    description: 'Login by OAuth 2.0 (XOAUTH2) instead of `password`.',
    rules: [
      {
        cel: 'has(self.accessToken) != has(self.tokenURL)',
        message: 'set exactly one of `accessToken` and `tokenURL`',
      },
      {
        cel: '!has(self.tokenURL) || (has(self.clientId) && (has(self.clientSecret) || has(self.refreshToken)))',
        message: 'set `clientId` with `tokenURL`, and `clientSecret` or `refreshToken`',
      },
    ],
  },
  oauthFields,
);

/** The same, opened. */
export type OAuth = ConfigOf<typeof oauthFields>;

/** A token, and whether it was known before. */
type Held = { readonly token: Secret; readonly isKnown: boolean };

/** Tokens in use, by what they were asked with; in this process alone. */
const tokens = new BoundedMap<string, { readonly token: Secret; readonly until: number }>(500);
/** They are renewed so long before they end, or after half their life if that is short; milliseconds. */
const marginMs = 5 * 60_000;

/**
 * The access token to log in with, one that is known or a new one, or why there is none. `fresh`: the one that is known was refused. Rejects with
 * `TransportError`. Source: RFC 6749, sections 4.4, 5 and 6.
 */
export async function accessTokenOf(
  { accessToken, tokenURL, clientId = '', clientSecret, refreshToken, scope }: OAuth,
  { send, now, fresh = false }: { readonly send: Send; readonly now: number; readonly fresh?: boolean },
): Promise<Held | { readonly refused: Outcome }> {
  if (accessToken) return { token: accessToken, isKnown: false };
  const form = {
    grant_type: refreshToken ? 'refresh_token' : 'client_credentials',
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
    ...(refreshToken && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
  };
  const key = keyOf(tokenURL ?? '', form);
  const known = tokens.get(key);
  if (known && !fresh && now < known.until) return { token: known.token, isKnown: true };
  const headers = { accept: 'application/json' };
  const answer = await beforehand(send({ method: 'POST', url: tokenURL ?? '', headers, form }));
  const outcome = answer.outcome(reading);
  if (outcome.is !== 'delivered') return { refused: named(outcome) };
  const { access_token: text, expires_in: seconds }: { access_token?: unknown; expires_in?: unknown } = Object(
    answer.json(),
  );
  if (typeof text !== 'string' || text === '') return { refused: noToken };
  const token = new Secret(text);
  const lifeMs = Number(seconds) * 1000;
  if (lifeMs > 0) tokens.set(key, { token, until: now + Math.max(lifeMs - marginMs, lifeMs / 2) });
  else tokens.delete(key);
  return { token, isKnown: false };
}

function keyOf(url: string, form: Readonly<Record<string, string | Secret>>): string {
  const parts = Object.entries(form).map(([name, value]) => [
    name,
    value instanceof Secret ? openSecret(value) : value,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([url, parts]))
    .digest('hex');
}

/** Whose refusal it is. */
function named(outcome: Exclude<Outcome, { is: 'delivered' }>): Outcome {
  if (outcome.is === 'rateLimited') return outcome;
  const reason = `no access token: ${outcome.reason}`;
  return outcome.is === 'permanent' ? { ...outcome, reason } : { ...outcome, reason, mayHaveArrived: false };
}

const noToken: Outcome = denied('the token endpoint answered without an access token; correct `oauth.tokenURL`');

/** Errors of token endpoints (RFC 6749, section 5.2, and those that 4.1.2.1 adds). */
const known = classes({
  retryable: ['temporarily_unavailable', 'server_error'],
  credential: ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type'],
});
const advice: Readonly<Record<string, string>> = {
  invalid_grant: 'the refresh token is over or was taken back: get a new one',
  invalid_client: 'correct `oauth.clientId` and `oauth.clientSecret`',
  unauthorized_client: 'the client may not ask in this way: let it, or give a `refreshToken`',
  invalid_scope: 'correct `oauth.scope`',
  unsupported_grant_type: 'correct `oauth.tokenURL`, or give a `refreshToken`',
};
const reading: Reading = {
  failure(answer) {
    const { error }: { readonly error?: unknown } = Object(answer.json());
    if (answer.status < 400 || typeof error !== 'string') return undefined;
    return failureOfCode(answer, error, known, advice);
  },
};
