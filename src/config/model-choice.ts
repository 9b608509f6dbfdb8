// A model as settings, flags and plans name it: `model[:effort]`. Any model and effort is accepted.
import { defined } from '../defined.ts';

/** A model and its effort as requested from an agent; absent: the CLI's default. */
export type ModelChoice = Readonly<{ model?: string; effort?: string }>;

/**
 * Parses `model[:effort]`. Ids may contain colons too, like those of Amazon Bedrock (`…-v1:0`, `arn:aws:…`): only letters
 * after the last one are an effort.
 */
export function readModel(wanted = ''): ModelChoice {
  const [, model = wanted, effort] = /^(.*):([a-z]+)$/i.exec(wanted) ?? [];
  return defined({ model: model === '' ? undefined : model, effort });
}
