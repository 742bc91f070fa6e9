import type { Answer, Send, SendRequest } from '../provider.ts';

/** What is followed, by method. A 307 or 308 keeps method and body, a 301 or 302 only a GET (RFC 9110 §15.4). */
const followed = { GET: new Set([301, 302, 307, 308]), other: new Set([307, 308]) };

/**
 * Sends, and follows one redirect to the same host, for products that answer so after a repository or project was renamed.
 * Elsewhere nothing is sent: the request holds a credential.
 */
export async function sendFollowing(
  send: Send,
  request: Omit<SendRequest, 'url'> & { readonly url: URL },
): Promise<Answer> {
  const answer = await send(request);
  const { location = '' } = answer.headers;
  const statuses = request.method === 'GET' ? followed.GET : followed.other;
  if (!statuses.has(answer.status) || !URL.canParse(location, request.url.href)) return answer;
  const to = new URL(location, request.url);
  return to.origin === request.url.origin ? send({ ...request, url: to }) : answer;
}
