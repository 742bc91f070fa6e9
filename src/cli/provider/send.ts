import { testAnnotation } from '../../api/group.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { Streams } from '../command.ts';
import { structured } from '../output.ts';
import type { ProviderArguments } from './arguments.ts';
import { explainError, request, unansweredMessage } from './request.ts';

/** Asks for a test message and prints how it ended. Exit code: 0 it arrived, 1 otherwise. */
export async function runSend(
  asked: ProviderArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { provider, namespace, output } = asked;
  try {
    const last = await request({ annotation: testAnnotation, answer: ({ lastTest }) => lastTest }, asked, client);
    const { outcome, message = '' } = last ?? { outcome: 'Unanswered', message: unansweredMessage(asked) };
    const pending = outcome === 'Pending' ? ' It is still being tried: the status of the AlertProvider says more.' : '';
    // Most products answer a message that they take without a word.
    const said = outcome === 'Delivered' ? `delivered${message === '' ? '' : `: ${message}`}` : message;
    stdout.write(
      output === 'text'
        ? `${namespace}/${provider}: ${said}${pending}\n`
        : structured({ provider, namespace, outcome, message }, output),
    );
    return outcome === 'Delivered' ? 0 : 1;
  } catch (error) {
    stderr.write(`tocsin: ${explainError(error, asked)}\n`);
    return 1;
  }
}
