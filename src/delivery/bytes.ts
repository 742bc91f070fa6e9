import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { TransportError } from '../providers/provider.ts';

/** Bytes of an answer that are usually read, and the most that a request may ask for. */
export const usualAnswerBytes = 64 * 1024;
export const mostAnswerBytes = 4 * 1024 * 1024;

/**
 * Bytes that may come for one answer in all: with what stands around the bytes of the body, which may be more than they are. A status line, a
 * header or the extension of a chunk that never ends is no body, and would be read for as long as the time-out allows.
 */
export function mostSocketBytes(maxAnswerBytes: number): number {
  return maxAnswerBytes <= usualAnswerBytes ? 1024 * 1024 : 2 * mostAnswerBytes;
}

/**
 * The connector, with connections that end when more than this comes after what was written last. `Infinity`: it bounds nothing, and leaves the
 * socket to who reads it as it comes.
 */
export function bounded(connect: buildConnector.connector, mostBytes: number): buildConnector.connector {
  if (mostBytes === Number.POSITIVE_INFINITY) return connect;
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null && socket) endBeyond(socket, mostBytes);
      callback(...([error, socket] as Parameters<buildConnector.Callback>));
    });
}

function endBeyond(socket: Socket, mostBytes: number): void {
  let [written, from] = [0, 0];
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) [written, from] = [socket.bytesWritten, socket.bytesRead];
    else if (socket.bytesRead - from > mostBytes)
      socket.destroy(
        new TransportError('Unreachable', `more than ${mostBytes / 2 ** 20} MiB came, and no end of the answer`, true),
      );
  });
}
