/**
 * Whether everything has been listed, by what `/health` says. That is a moment after readiness, and what breaks before is told as
 * what existed at the start.
 */
export function isAllListed(health: string): boolean {
  return !health.includes('"state":"Syncing"');
}
