import { redeliverAnnotation } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { Streams } from '../command.ts';
import type { ProviderArguments } from './arguments.ts';
import { runRequest } from './request.ts';

/**
 * Asks for a redelivery and prints how it ended. Exit code: 0 everything that was sent arrived, or nothing was left to send; 1 otherwise.
 */
export const runRedeliver = (
  asked: ProviderArguments,
  streams: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> =>
  runRequest(
    { annotation: redeliverAnnotation, answer: ({ lastRedelivery }) => lastRedelivery },
    asked,
    streams,
    client,
    (last, unanswered) => {
      const { outcome, sent, message = '' } = last ?? { outcome: 'Unanswered', sent: 0, message: unanswered };
      const pending = outcome === 'Pending' ? ' Still on the way: the status of the AlertProvider says more.' : '';
      const isWell = outcome === 'Delivered' || outcome === 'NothingToSend';
      return { text: `${message}${pending}`, fields: { outcome, sent, message }, isWell };
    },
  );
