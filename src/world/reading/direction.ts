/** The directions of traffic that a network policy can restrict. */
export const directions = ['ingress', 'egress'] as const;

/** One of them. */
export type Direction = (typeof directions)[number];
