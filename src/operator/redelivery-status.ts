import type { AlertProviderStatus } from '../api/alert-provider.ts';
import type { Redelivery, RedeliveryVerdict } from '../model/redelivery.ts';
import type { RequestState } from './annotation-requests.ts';
import { instantOf, shortened } from './conditions.ts';

/** What `lastRedelivery` says. */
type LastRedelivery = NonNullable<AlertProviderStatus['lastRedelivery']>;

/** Why something was not sent again, after its number: "2 are over". One of them, and several. */
const why: Readonly<Record<Exclude<RedeliveryVerdict, 'sentAgain'>, readonly [string, string]>> = {
  over: ['is over', 'are over'],
  toldSince: ['has been told since', 'have been told since'],
  muted: ['is silenced or filtered now', 'are silenced or filtered now'],
  listedAnew: ['was in a list that is made anew', 'were in lists that are made anew'],
  test: ['is a test', 'are tests'],
  notReceiving: [
    'was for an AlertProvider that receives nothing now',
    'were for AlertProviders that receive nothing now',
  ],
};

/** What was not sent again and why, as a sentence. */
function leftSays(left: Redelivery['left']): string | undefined {
  const parts = Object.entries(why).flatMap(([verdict, [one, several]]) => {
    // The keys of the table above.
    const count = left[verdict as keyof typeof why] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  });
  if (parts.length === 0) return undefined;
  return `Not sent again: ${parts.join(', ')}.`;
}

/** What became of what was sent, as a sentence. */
function sentSays({ sent, delivered, failed, failure }: Redelivery): string {
  if (sent === 0) return 'Nothing is left to send again.';
  const waiting = sent - delivered - failed;
  const fate = [
    `${delivered} of ${sent} arrived`,
    ...(failed > 0 ? [`${failed} failed again${failure === undefined ? '' : ` (${failure})`}`] : []),
    ...(waiting > 0 ? [`${waiting} on the way`] : []),
  ];
  return `${fate.join(', ')}.`;
}

function outcomeOf({ sent, delivered, failed }: Redelivery): LastRedelivery['outcome'] {
  if (sent === 0) return 'NothingToSend';
  if (delivered + failed < sent) return 'Pending';
  return failed > 0 ? 'Failed' : 'Delivered';
}

/** What the status says of the last request to send again what failed; `undefined`: none was made of this process. */
export function lastRedelivery(
  request: RequestState | undefined,
  result: Redelivery | undefined,
): LastRedelivery | undefined {
  if (request === undefined) return undefined;
  const { nonce, requestedAt, refused } = request;
  if (refused !== undefined)
    return { nonce, time: instantOf(requestedAt), outcome: 'Failed', sent: 0, message: shortened(refused) };
  if (result?.nonce !== nonce)
    return { nonce, time: instantOf(requestedAt), outcome: 'Pending', sent: 0, message: 'Asked for.' };
  const message = [sentSays(result), leftSays(result.left)].filter((sentence) => sentence !== undefined).join(' ');
  return {
    ...{ nonce, time: instantOf(result.at), outcome: outcomeOf(result), sent: result.sent },
    message: shortened(message),
  };
}
