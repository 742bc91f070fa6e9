import type { Mail, Send } from '../../providers/provider.ts';
import { TransportError } from '../../providers/provider.ts';
import type { Outbound } from './outbound.ts';

/**
 * The same ways to the network, which send nothing while people may not be told at that very moment: without the state lock: a process that was
 * suspended wakes in the middle of an attempt of several requests. What is refused certainly did not arrive.
 */
export function fencedOutbound(outbound: Outbound, mayTell: () => boolean): Outbound {
  const refuse = (): void => {
    if (!mayTell()) throw new TransportError('Unreachable', 'the state lock is not held', false);
  };
  return {
    ...outbound,
    async sendOwn(request) {
      refuse();
      return outbound.sendOwn(request);
    },
    held(tls) {
      const { send, converse } = outbound.held(tls);
      return {
        async send(request) {
          refuse();
          return send(request);
        },
        async converse(conversation) {
          refuse();
          return converse(conversation);
        },
      };
    },
    send(...provider) {
      const send = outbound.send(...provider);
      const fenced: Send = async (request) => {
        refuse();
        return send(request);
      };
      return fenced;
    },
    mail(...provider) {
      const mail = outbound.mail(...provider);
      const fenced: Mail = {
        async send(relay, message) {
          refuse();
          return mail.send(relay, message);
        },
        async check(relay) {
          refuse();
          return mail.check(relay);
        },
      };
      return fenced;
    },
  };
}
