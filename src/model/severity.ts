/** Worst first. `critical`: wake someone; `high`: act today; `medium`: this week or it worsens; `low`: digest only. */
export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** One of the severities above. */
export type Severity = (typeof severities)[number];

/** Negative when `a` is worse than `b`, 0 when equal: sorts worst first. */
export function compareSeverity(a: Severity, b: Severity): number {
  return severities.indexOf(a) - severities.indexOf(b);
}

/** The worse of the two. */
export function worse(a: Severity, b: Severity): Severity {
  return compareSeverity(a, b) <= 0 ? a : b;
}

/** The same, but never worse than `cap`. */
export function atMost(cap: Severity, severity: Severity): Severity {
  return compareSeverity(severity, cap) < 0 ? cap : severity;
}

/** One step milder; `low` stays `low`. */
export function milder(severity: Severity): Severity {
  return severities[severities.indexOf(severity) + 1] ?? 'low';
}

/** How sure an explanation can be of its root, the surest first. */
export const confidences = ['high', 'likely', 'unknown'] as const;

/** How sure an explanation is of its root. The wording of a message follows it. */
export type Confidence = (typeof confidences)[number];
