/** Reason codes of updates that everybody must see, not only who opens the thread: it is a worse or another outage, or nothing holds it back any more. */
const ringing: ReadonlySet<string> = new Set([
  'AnotherFailure',
  'FilterEnded',
  'HubEnded',
  'ImpactGrew',
  'MaintenanceEnded',
  'SilenceEnded',
  'StillOpen',
  'WorkloadDown',
]);

/** Whether an update for this reason rings although it is no more severe. */
export function rings(reasonCode: string): boolean {
  return ringing.has(reasonCode);
}
