// How bad a finding is, in order. It has no schema: options of commands are read before any is loaded.

/** From the worst to the mildest. */
export const severities = ['critical', 'major', 'minor', 'note'] as const;

export type Severity = (typeof severities)[number];

/** True when a severity is at least as bad as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

/** The worse of two severities. */
export function worse(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}
