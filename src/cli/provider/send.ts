import { testAnnotation } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { Streams } from '../command.ts';
import type { ProviderArguments } from './arguments.ts';
import { runRequest } from './request.ts';

/** Asks for a test message and prints how it ended. Exit code: 0 it arrived, 1 otherwise. */
export const runSend = (
  asked: ProviderArguments,
  streams: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> =>
  runRequest(
    { annotation: testAnnotation, answer: ({ lastTest }) => lastTest },
    asked,
    streams,
    client,
    (last, unanswered) => {
      const { outcome, message = '' } = last ?? { outcome: 'Unanswered', message: unanswered };
      const pending =
        outcome === 'Pending' ? ' It is still being tried: the status of the AlertProvider says more.' : '';
      // Most products answer a message that they take without a word.
      const said = outcome === 'Delivered' ? `delivered${message === '' ? '' : `: ${message}`}` : message;
      return { text: `${said}${pending}`, fields: { outcome, message }, isWell: outcome === 'Delivered' };
    },
  );
