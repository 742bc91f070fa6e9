import type { Secret } from '../../model/secret.ts';
import { bearer, endpoint, isPage, notOf } from '../kit.ts';
import type { Answer, Reading, Send } from '../provider.ts';

/** The opened fields of one attempt. */
export type HomeAssistantConfig = { readonly token: Secret; readonly url: string; readonly service: string };

/** Answers say little: a wrong action, a key that it does not know and a proxy that is not trusted are all `400: Bad Request`. */
export const reading: Reading = {
  failure: (answer) =>
    answer.status < 300 && isPage(answer) ? notOf(answer, 'Home Assistant', 'correct `url`') : undefined,
  advice: {
    400: 'correct `service` (`tocsin lint --check` names the actions there are); a proxy in front must be trusted by Home Assistant',
    401: 'make a long-lived access token in the profile of a user of Home Assistant',
    403: 'the address of Tocsin is banned (ip_bans.yaml) or filtered by Home Assistant',
    404: 'correct `url`; it is the root of the server',
    500: 'the action failed in Home Assistant: see its log',
  },
};

/** Every action with its description: about half a megabyte in a large house. */
const maxListBytes = 4 * 1024 * 1024;

/** One call of the REST API below the server's own path; `url` may end in `/api`. */
export function callHomeAssistant(
  send: Send,
  { token, url }: HomeAssistantConfig,
  path: string,
  json?: unknown,
): Promise<Answer> {
  const server = url.replace(/\/+$/, '').replace(/\/api$/, '');
  return send({
    method: json === undefined ? 'GET' : 'POST',
    url: endpoint(server, `api/${path}`),
    headers: bearer(token),
    maxAnswerBytes: maxListBytes,
    ...(json !== undefined && { json }),
  });
}
