import type { Request } from 'express';

/** Why a request is not read: the status, and a sentence for who sent it. */
export type Unread = { readonly status: number; readonly refused: string };

/** Who posts, and how much: `who` is let in, pages in browsers are not; `tooLarge` says what to do about more than `mostBytes`. */
export type PostRules = { readonly who: string; readonly mostBytes: number; readonly tooLarge: string };

/**
 * The text of a JSON body that a program posted, or why it is not read: it is too large, no JSON by its header, or sent by a page in a browser,
 * which says where it is from.
 */
export async function postedText(
  request: Request,
  { who, mostBytes, tooLarge }: PostRules,
): Promise<{ readonly text: string } | Unread> {
  if (request.headers.origin !== undefined) return { status: 403, refused: `${who}, pages in browsers may not.` };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return { status: 415, refused: 'Send application/json.' };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) return { status: 413, refused: tooLarge };
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString() };
}
