import { get } from 'node:http';

/** What a page of the operator answered. */
export type PageAnswer = { readonly status: number; readonly body: string };

/** How long an answer may take (ms), and how long it may be (bytes): 500 incidents are far less. */
const answerMs = 10_000;
const maxBytes = 32 * 1024 * 1024;

/** Reads a page of a running operator. Rejects where nobody answers in time. */
export function readPage(url: URL): Promise<PageAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PageAnswer>();
  const request = get(url, { timeout: answerMs }, (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) request.destroy(new Error(`its answer is longer than ${maxBytes / 1024 / 1024} MiB`));
      else chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
    );
  });
  request.on('timeout', () => request.destroy(new Error(`it has not answered within ${answerMs / 1000} s`)));
  request.on('error', reject);
  return promise;
}
