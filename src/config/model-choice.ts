// A model as settings, flags and plans name it: `model[:effort]`. Any model and effort is accepted.
import { defined } from '../defined.ts';

/** A model and its effort as an agent is asked for them; what is absent is the CLI's default. */
export type ModelChoice = Readonly<{ model?: string; effort?: string }>;

/** Reads a `model[:effort]`. Ids may hold colons too, as those of Amazon Bedrock do (`…-v1:0`, `arn:aws:…`): only letters behind the last one are an effort. */
export function readModel(wanted = ''): ModelChoice {
  const [, model = wanted, effort] = /^(.*):([a-z]+)$/i.exec(wanted) ?? [];
  return defined({ model: model === '' ? undefined : model, effort });
}
