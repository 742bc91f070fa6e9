/** Why an image cannot be pulled, in one word: the fact `pullCause` of findings. */
export const pullCauses = [
  ...(['platform', 'rateLimit', 'maybeDenied', 'denied', 'certificate', 'dns', 'network', 'server'] as const),
  ...(['corrupt', 'notFound', 'disk', 'other'] as const),
] as const;

/** A word of the list above. */
export type PullCauseName = (typeof pullCauses)[number];
