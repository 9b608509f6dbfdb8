// SARIF 2.1.0 logs, valid by their schema: sarif-2.1.0-rtm.5.json of the npm package @microsoft/jest-sarif (1.0.0-beta.0,
// MIT licence).
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const file = new URL('../fixtures/sarif-2.1.0-rtm.5.json', import.meta.url);

/** What zod takes for a whole URL is a reference, relative to a folder. */
const withoutReferences = (_: string, value: unknown) => (value === 'uri-reference' ? undefined : value);
const schema = z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8'), withoutReferences));

type Level = 'none' | 'note' | 'warning' | 'error';

/** The part that pawl writes. */
export type SarifLog = Readonly<{
  runs: readonly Readonly<{
    tool: Readonly<{ driver: Readonly<{ rules: readonly Readonly<{ id: string }>[] }> }>;
    invocations?: readonly Readonly<{
      executionSuccessful: boolean;
      toolExecutionNotifications: readonly Readonly<{ level: Level; message: Readonly<{ text: string }> }>[];
    }>[];
    results: readonly Readonly<{
      ruleId: string;
      ruleIndex: number;
      level: Level;
      message: Readonly<{ text: string }>;
      locations: readonly Readonly<{
        physicalLocation: Readonly<{ artifactLocation: object; region: object }>;
      }>[];
      partialFingerprints?: Readonly<Record<string, string>>;
      suppressions?: readonly Readonly<{ status: string; justification: string }>[];
      properties?: Readonly<Record<string, unknown>>;
    }>[];
    properties: Readonly<Record<string, unknown>>;
  }>[];
}>;

/** Throws what is not valid. */
export const sarifLog = {
  parse(value: unknown): SarifLog {
    schema.parse(value);
    return value as SarifLog;
  },
};
