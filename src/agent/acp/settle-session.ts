// Sets the mode and the model of an ACP session that was just opened.
import { type JsonRecord, record, records, text } from '../json-value.ts';
import type { Counting } from './entries.ts';

export type SessionSettings = Readonly<{
  counting: Counting;
  resume: 'session/resume' | 'session/load' | undefined;
  mode: string | undefined;
  /** Set through the protocol. */
  model: string | undefined;
}>;

/** A request: method and parameters. */
export type AcpRequest = readonly [string, JsonRecord];

/** The session's model, and the requests needed before its first prompt. */
export function settleSession(
  sessionId: string,
  opened: JsonRecord,
  { mode, model }: SessionSettings,
): Readonly<{ model: string; steps: readonly AcpRequest[] }> {
  const options = records(opened['configOptions']);
  const option = options.find(({ category, id }) => category === 'model' || id === 'model');
  const setMode: AcpRequest = ['session/set_mode', { sessionId, modeId: mode }];
  const configId = text(option?.['id']) ?? 'model';
  const setModel: AcpRequest = ['session/set_config_option', { sessionId, configId, value: model }];
  const current = text(record(opened['models'])?.['currentModelId']) ?? text(option?.['currentValue']);
  return {
    model: model ?? current ?? '',
    steps: [...(mode === undefined ? [] : [setMode]), ...(model === undefined ? [] : [setModel])],
  };
}
