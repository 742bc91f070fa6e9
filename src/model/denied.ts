/** What drivers hand on of a store that does not know who asks: EPERM, EACCES, and what clouds say. */
export const denied =
  /operation not permitted|permission denied|access denied|unauthori[sz]ed|authentication failed|invalid credentials/i;

/** Whether a text says that somebody is not let in. */
export const isDenied = (text: string): boolean => denied.test(text);
