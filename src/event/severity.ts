// How findings are weighed. Apart from the schemas, because command options are declared before anything is loaded.

/** From worst to mildest. */
export const severities = ['critical', 'major', 'minor', 'note'] as const;

export type Severity = (typeof severities)[number];

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

export function worse(a: Severity, b: Severity): Severity {
  return isAtLeast(a, b) ? a : b;
}

/** Its proof was red on the commit that it complains about. */
export function isConfirmed({
  tried,
}: Readonly<{ tried?: Readonly<{ result: string }> | undefined }>): boolean {
  return tried?.result === 'confirmed';
}
