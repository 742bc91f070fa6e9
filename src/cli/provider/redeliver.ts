import { redeliverAnnotation } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { ProviderArguments } from './arguments.ts';
import { explainError, request, unansweredMessage } from './request.ts';

/**
 * Asks for a redelivery and prints how it ended. Exit code: 0 everything that was sent arrived, or nothing was left to send; 1 otherwise.
 */
export async function runRedeliver(
  asked: ProviderArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { provider, namespace, output } = asked;
  try {
    const last = await request(
      {
        annotation: redeliverAnnotation,
        answer: ({ lastRedelivery }) => lastRedelivery,
      },
      asked,
      client,
    );
    const {
      outcome,
      sent,
      message = '',
    } = last ?? {
      ...{ outcome: 'Unanswered', sent: 0, message: unansweredMessage(asked) },
    };
    const pending = outcome === 'Pending' ? ' Still on the way: the status of the AlertProvider says more.' : '';
    stdout.write(
      output === 'text'
        ? `${namespace}/${provider}: ${message}${pending}\n`
        : structured({ provider, namespace, outcome, sent, message }, output),
    );
    return outcome === 'Delivered' || outcome === 'NothingToSend' ? 0 : 1;
  } catch (error) {
    stderr.write(`tocsin: ${explainError(error, asked)}\n`);
    return 1;
  }
}
