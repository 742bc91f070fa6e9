/**
 * How long detectors wait before they tell what others wait for: who lacks a server waits until that can have been found. Each number is its
 * detector's; whoever waits adds what it takes to hear of it.
 */
export const patience = {
  /** A Service has nothing behind it while its Pods do not serve: longer than the rows that know why they do not (s). */
  emptyService: 100,
  /**
   * Two crashes tell it where nothing else serves, so long after the first (s): what was away for half a minute lets the fourth run of a
   * program that ends at once go well.
   */
  crashWithoutOthers: 35,
  /** So long after it began an outage may be told (s): a moment in which one Pod ends and the next one is ready is shorter. */
  outage: 30,
} as const;
