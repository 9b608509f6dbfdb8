// The scripted agent's side of the control channel: what it answers to a control request, as Claude Code 2.1.330
// does. It says what is to happen and does nothing itself.

import { costOf, type Session } from './session.ts';
import { agentVersion } from './stream.ts';

type Line = Record<string, unknown>;

/** The response line to a control request, and what the request asks of the conversation. */
export function answerControl(
  value: Line,
  session: Session,
): { response: Line; effect: 'interrupt' | 'end' | undefined } {
  const request = (value['request'] ?? {}) as Line;
  const base = { request_id: value['request_id'] };
  const success = (response?: Line) => ({
    type: 'control_response',
    response: { subtype: 'success', ...base, ...(response === undefined ? {} : { response }) },
  });
  switch (request['subtype']) {
    case 'interrupt':
      return { response: success({ still_queued: [] }), effect: 'interrupt' };
    case 'end_session':
      return { response: success(), effect: 'end' };
    case 'get_session_cost':
      return { response: success({ text: costText(session) }), effect: undefined };
    case 'initialize':
      return { response: success(initializeFields(session)), effect: undefined };
    case 'set_model':
      return { response: success(), effect: undefined };
    default: {
      const error = `Unsupported control request subtype: ${String(request['subtype'])}`;
      const response = { subtype: 'error', ...base, error, error_code: 'unsupported_request' };
      return { response: { type: 'control_response', response }, effect: undefined };
    }
  }
}

function initializeFields(session: Session): Line {
  return {
    commands: [],
    agents: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: 'default', resolvedModel: session.model, displayName: 'Scripted' }],
    account: { tokenSource: 'none', apiKeySource: 'none' },
    pid: process.pid,
    claude_code_version: agentVersion,
    current_permission_mode: session.permissionMode,
  };
}

function costText(session: Session): string {
  const { input, output, cacheRead, cacheWrite } = session.total;
  const costUsd = costOf(session.total);
  const cost = costUsd > 0.5 ? costUsd.toFixed(2) : costUsd.toFixed(4);
  const wallS = Math.round((Date.now() - session.startedMs) / 1000);
  return [
    `Estimated cost:        $${cost}`,
    'Total duration (API):  0s',
    `Total duration (wall): ${wallS}s`,
    'Total code changes:    0 lines added, 0 lines removed',
    'Usage by model:',
    `     ${session.model}:  ${input} input, ${output} output, ${cacheRead} cache read, ${cacheWrite} cache write ($${cost})`,
  ].join('\n');
}
