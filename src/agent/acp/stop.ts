// What the end of a prompt over ACP means. `end_turn` is a hint: agents send it even if a turn never reached the model,
// or its only text is an error.
import { defined } from '../../defined.ts';
import { text, wordIn } from '../json-value.ts';
import type { RpcError, TurnEnd } from '../rpc-conversation.ts';

type Heard = Readonly<{
  text: string;
  didAnything: boolean;
  /** The answer reports use of the model. */
  tells: boolean;
}>;

export function judgeStop(reason: string, heard: Heard): TurnEnd {
  if (reason === 'end_turn') return judgeEnd(heard);
  const stop = wordIn(stops, reason) ?? { isError: false, reason: reason || 'completed' };
  return { text: heard.text, ...stop };
}

const stops: Readonly<Record<string, Omit<TurnEnd, 'text'>>> = {
  max_tokens: { isError: true, reason: 'max_tokens', apiError: 'max_output_tokens' },
  max_turn_requests: { isError: true, reason: 'max_turns' },
  refusal: { isError: true, reason: 'refusal', apiError: 'refusal' },
  cancelled: { isError: true, reason: 'aborted_by_cancel' },
};

const retries = /^(Info: [^\n]*?Retrying\.\.\.\s*)+/;

const errorText =
  /^\W{0,4}((api |internal |fatal )?error\b|exceeded retry limit|unexpected status|request failed)/i;

function judgeEnd({ text: said, didAnything, tells }: Heard): TurnEnd {
  if (didAnything || tells) return { text: said, isError: false, reason: 'completed' };
  if (said.trim() === '')
    return {
      text: 'suspected limit: it ended its turn without a word, a tool call or any use of the model',
      isError: true,
      apiError: 'suspected_limit',
    };
  const last = said.replace(retries, '');
  if (errorText.test(last)) {
    const status = Number(/\b(?:HTTP|status:?|error:) ([45]\d\d)\b/i.exec(last)?.[1]);
    const apiError = quota.test(last) ? 'usage_limit_reached' : undefined;
    const apiStatus = status > 0 ? status : undefined;
    return { text: last, isError: true, reason: 'api_error', ...defined({ apiStatus, apiError }) };
  }
  return { text: said, isError: false, reason: 'completed' };
}

const authRequired = -32000;
const settings: ReadonlySet<string> = new Set(['session/set_mode', 'session/set_config_option']);

export function readError(
  to: string,
  { code, message, data }: RpcError,
): Readonly<{ text: string; apiStatus?: number; apiError?: string }> {
  const details = text(data['details']) ?? text(data['message']) ?? '';
  const words = details === '' || message.includes(details) ? message : `${message}: ${details}`;
  const said = words === '' ? `error ${code}` : words;
  const typed =
    code === authRequired ? 'authentication_error' : quota.test(words) ? 'usage_limit_reached' : undefined;
  return {
    text: to === 'session/prompt' ? said : `${to}: ${said}`,
    ...defined({
      apiStatus: statusOf(code, details),
      // The mode or model does not exist, or not for this user: retrying would not help.
      apiError: settings.has(to) ? 'permission_error' : typed,
    }),
  };
}

/** Some use the API's status as the code, or begin the details with it. */
function statusOf(code: number, details: string): number | undefined {
  const status = code >= 400 ? code : Number(/^[45]\d\d\b/.exec(details)?.[0]);
  return status >= 400 && status < 600 ? status : undefined;
}

const quota = /\b(exhausted|exceeded|hit) your [\w -]{0,40}(quota|usage limit)\b/i;
