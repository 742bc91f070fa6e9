/**
 * How many objects are looked at, and how far apart in time what has to do with each other may be. No verdict hangs on the exact number: each
 * bound is more than what clusters have as a rule, and each span is told apart from the next by an order of kind, not of taste.
 */

/** Objects at the other end of one link: volumes of a Pod, Services that it names, policies that select it. */
export const fanOut = 32;
/** Pods of one workload that are looked at: enough to tell a share, and whether one of them serves. */
export const podsOfWorkload = 64;
/** Pods of a workload, or findings of an explanation, that are asked: siblings need, use and say the same. */
export const siblingsAsked = 4;
/** Pods of a namespace, or of a workload of which each counts. */
export const podsCounted = 200;
/** Pods that use one object, and those of them that fail: Services, registries and drivers have many. */
export const usersOfOne = 512;
/** So many workloads that fail within so long (ms) of each other are no coincidence. */
export const [strangers, togetherMs] = [3, 3 * 60_000];

/** Controllers, kubelets and detectors do not look at the same instant: what follows may be seen so long (ms) before what brings it about. */
export const leadMs = 60_000;
/** Clocks of kubelets, of the API server and of whoever wrote an edit may differ by so much (ms). */
export const clocksMs = 5_000;
/** A kubelet waits so long (ms) at most before it starts a container again. */
export const longestBackOffMs = 5 * 60_000;
/** What has been as it is for so long (ms) is settled: it is not between two crashes, and not as new as what fails. */
export const settledMs = 10 * 60_000;
/** What follows from an end may come so long (ms) after it: taint eviction comes at 5 min, forced detach at 6, and then there is back-off. */
export const aftermathMs = 15 * 60_000;
/** What was edited, made or scaled so long (ms) before may be why. */
export const recentMs = 30 * 60_000;
/** What is read as a program starts may show so long (ms) after it was edited: at the next restart. */
export const nextStartMs = 24 * 60 * 60_000;
