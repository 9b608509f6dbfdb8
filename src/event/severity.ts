// How findings are weighed: by severity, and by what their proofs came to. Kept apart from the schemas, because command options are declared before anything
// is loaded.

/** From worst to mildest. */
export const severities = ['critical', 'major', 'minor', 'note'] as const;

export type Severity = (typeof severities)[number];

/** True if a severity is at least as bad as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

/** The worse of two severities. */
export function worse(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}

/** Whether the proof of a finding was red on the commit that it complains about. */
export function isConfirmed({
  tried,
}: Readonly<{ tried?: Readonly<{ result: string }> | undefined }>): boolean {
  return tried?.result === 'confirmed';
}
