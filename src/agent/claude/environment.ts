// The variables pawl adds to Claude Code's environment (2.1.330), each with its reason; most keep the CLI from waiting longer
// than pawl's own timeouts.
import type { ClaudeSettings } from './settings.ts';

const minuteMs = 60_000;

/**
 * Retries the CLI may make. Its pauses (0.6, 1.1, 2.2, 4.8, 9, 18, 38 s) then add up to 75 s: enough for a hiccup, after
 * which pawl's own back-off, which is shown and journaled, takes over. The CLI's default is 10.
 */
const retries = 7;
const retryPausesMs = 75_000;

/** The CLI takes no shorter bound for silence within a stream. */
const leastByteIdleMs = 10_000;

/** The variables of one session; an `undefined` value removes a variable. */
export function claudeEnvironment(settings: ClaudeSettings): Readonly<Record<string, string | undefined>> {
  const { silenceMs, apiMs, toolMs } = settings.clocks;
  const bashMaxMs = Math.min(55 * minuteMs, Math.round(toolMs * 0.9));
  // All tries of a dead API together stay under nine tenths of pawl's own clock.
  const requestMs = Math.max(5_000, Math.round((apiMs * 0.9 - retryPausesMs) / (retries + 1)));
  const byteIdleMs = Math.max(leastByteIdleMs, Math.min(5 * minuteMs, Math.round(silenceMs / 2)));
  return {
    // `session_state_changed idle` is the real end of a turn.
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    // Work in the background would outlive the turn that pawl checks.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Without background work a command is killed at its timeout, by default after 2 minutes: too short for a test suite.
    BASH_DEFAULT_TIMEOUT_MS: String(Math.min(20 * minuteMs, bashMaxMs)),
    BASH_MAX_TIMEOUT_MS: String(bashMaxMs),
    API_TIMEOUT_MS: String(requestMs),
    CLAUDE_CODE_MAX_RETRIES: String(retries),
    CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
    CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: String(byteIdleMs),
    // A start that fails is a result with a reason, not only text on stderr.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: '1',
    // An updater of its own would be swept in the middle of its work.
    DISABLE_AUTOUPDATER: '1',
    ...(dropsKey(settings) ? { ANTHROPIC_API_KEY: undefined } : {}),
  };
}

function dropsKey(settings: ClaudeSettings): boolean {
  switch (settings.apiKey) {
    case 'keep':
      return false;
    case 'drop':
      return true;
    case 'auto':
      return settings.otherLogin;
  }
}
