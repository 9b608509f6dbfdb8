// The envelope of SARIF 2.1.0 (OASIS, 27 March 2020).

export type SarifRun = Readonly<{
  /** pawl's own. */
  version: string;
  id: string;
  rules: readonly Readonly<{ id: string }>[];
  results: readonly object[];
  properties: object;
  invocations?: readonly object[];
}>;

export function sarifOf({ version, id, rules, ...run }: SarifRun): object {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'pawl', semanticVersion: version, rules } },
        automationDetails: { id },
        originalUriBaseIds: { [root]: { description: { text: 'The root of the repository.' } } },
        ...run,
      },
    ],
  };
}

const root = '%SRCROOT%';

/** Lines from 1; code scanning requires one. */
export function sarifLocation(file: string, startLine: number, endLine?: number): object {
  const region = { startLine: Math.max(1, startLine), ...(endLine === undefined ? {} : { endLine }) };
  const artifactLocation = { uri: uriOf(file), ...(file.startsWith('/') ? {} : { uriBaseId: root }) };
  return { physicalLocation: { artifactLocation, region } };
}

function uriOf(file: string): string {
  const path = file
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return file.startsWith('/') ? `file://${path}` : path;
}
