// Parses a reviewer's persona: markdown with settings in front matter.

import { parse } from 'yaml';
import { z } from 'zod';
import { type AgentName, agentNames } from '../agent-name.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { Template } from './template.ts';

const settingsSchema = z.strictObject({
  /** As `model[:effort]`; absent: the role's. */
  model: z.string().min(1).optional(),
  /** One of pawl's, else the type of a sub-agent, as in ralphex; absent: the stage's agent. */
  agent: z.string().min(1).optional(),
  /** Absent: all that read. */
  tools: z.array(z.string().min(1)).optional(),
  minSeverity: z
    .never('was removed: what a proof confirms is fixed, and minor opinions start nothing')
    .optional(),
});

export type Persona = Readonly<{
  name: string;
  text: string;
  agent?: AgentName;
  subAgent?: string;
}> &
  Readonly<Omit<z.infer<typeof settingsSchema>, 'agent'>>;

export function readPersona({ name, file, text }: Template): Persona {
  const [whole = '', yaml = ''] =
    /^\uFEFF?\s*---[ \t]*\r?\n((?:[\s\S]*?\n)??)---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  if (body === '')
    throw new Failure('config', `${file}: the reviewer has no instructions`, {
      hint: 'Say below its settings what it should look for, and what evidence a finding needs.',
    });
  const { agent, ...settings } = readSettings(file, yaml);
  const known = agentNames.find((one) => one === agent);
  return {
    name,
    text: body,
    ...settings,
    ...defined({ agent: known, subAgent: agent === undefined || known !== undefined ? undefined : agent }),
  };
}

function readSettings(file: string, yaml: string): z.infer<typeof settingsSchema> {
  const result = settingsSchema.safeParse(parseYaml(file, yaml) ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  throw new Failure('config', `${file}: ${where}${issue?.message ?? 'not a reviewer'}`, {
    hint: `A reviewer may set ${Object.keys(settingsSchema.shape).join(', ')}.`,
  });
}

function parseYaml(file: string, yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    const [what = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Failure('config', `${file}: the settings before the text are not valid YAML: ${what}`);
  }
}
