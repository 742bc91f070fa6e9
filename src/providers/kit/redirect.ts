import type { Answer, Send, SendRequest } from '../provider.ts';

/**
 * Sends, and follows one 307 or 308 to the same host, for products that answer so after a repository or project was renamed.
 * Both keep the method and the body (RFC 9110 §15.4.8, §15.4.9). Elsewhere nothing is sent: the request holds a credential.
 */
export async function sendFollowing(
  send: Send,
  request: Omit<SendRequest, 'url'> & { readonly url: URL },
): Promise<Answer> {
  const answer = await send(request);
  const { location = '' } = answer.headers;
  if ((answer.status !== 307 && answer.status !== 308) || !URL.canParse(location, request.url.href)) return answer;
  const to = new URL(location, request.url);
  return to.origin === request.url.origin ? send({ ...request, url: to }) : answer;
}
