import { TransportError } from '../provider.ts';

/** A request that is made before the message is sent: however it breaks off, nobody has the message. */
export async function beforehand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TransportError) throw new TransportError(error.code, error.message, false);
    throw error;
  }
}
