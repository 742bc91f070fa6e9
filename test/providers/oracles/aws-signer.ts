/** AWS's own library of signatures (npm @smithy/signature-v4). */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** What is signed, by whom, and when (epoch milliseconds). */
export type ToSign = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
  readonly service: string;
  readonly region: string;
  readonly at: number;
};

/** The headers of the request as the library signs it; names in lower case. */
export async function signedByVendor(request: ToSign): Promise<Readonly<Record<string, string>>> {
  const { method, url, headers, body, keys, service, region, at } = request;
  const { hostname, pathname, searchParams } = new URL(url);
  const signer = new SignatureV4({ service, region, credentials: keys, sha256: Sha256, applyChecksum: false });
  const signed = await signer.sign(
    {
      method,
      protocol: 'https:',
      hostname,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { ...headers, host: hostname },
      ...(body !== undefined && { body }),
    },
    { signingDate: new Date(at) },
  );
  return signed.headers;
}

/** What the library asks of a hash, on the one of Node. */
class Sha256 {
  readonly #hash;
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    const secret = typeof key === 'string' ? key : key && bytesOf(key);
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {
    throw new Error('nobody asks for this');
  }
}
const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
