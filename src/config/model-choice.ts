// A model as settings, flags and plans name it: `model[:effort]`, any of each.
import { defined } from '../defined.ts';

/** Absent: the CLI's default. */
export type ModelChoice = Readonly<{ model?: string; effort?: string }>;

/**
 * Ids may contain colons too, as Amazon Bedrock's (`…-v1:0`, `arn:aws:…`): only letters after the last are an effort.
 */
export function readModel(wanted = ''): ModelChoice {
  const [, model = wanted, effort] = /^(.*):([a-z]+)$/i.exec(wanted) ?? [];
  return defined({ model: model === '' ? undefined : model, effort });
}
