// What people say about a pull request on GitHub, by gh: comments on lines and on the whole, and answers to them.
import { z } from 'zod';
import type { Forge, RequestComment } from './forge.ts';
import type { ForgeApi } from './program.ts';

export function commentsOfGitHub(api: ForgeApi): Pick<Forge, 'commentsSince' | 'answer'> {
  const { json, pages } = api;
  return {
    commentsSince: async (number, at) => {
      const mayWrite = askOnce((login) => hasWriteAccess(api, login));
      const self = await ownLogin(api);
      const comments: RequestComment[] = [];
      for (const kind of ['pulls', 'issues'] as const) {
        const path = `/${kind}/${number}/comments?since=${encodeURIComponent(at)}`;
        for (const comment of await pages(path, (page) => commentSchema.array().parse(page))) {
          const { user } = comment;
          // An edit of an old comment is no new one.
          if (!user || user.type === 'Bot' || user.login === self || comment.created_at <= at) continue;
          const where = comment.path === undefined ? {} : { file: comment.path, line: comment.line ?? 0 };
          const said = { id: `${kind}-${comment.id}`, at: comment.created_at, text: comment.body ?? '' };
          comments.push({ ...said, author: user.login, mayWrite: await mayWrite(user.login), ...where });
        }
      }
      return comments.sort((a, b) => (a.at < b.at ? -1 : 1));
    },
    answer: async (number, { id, author }, text) => {
      const [kind, comment] = id.split('-');
      const path =
        kind === 'pulls' ? `/pulls/${number}/comments/${comment}/replies` : `/issues/${number}/comments`;
      const body = { body: kind === 'pulls' ? text : `@${author} ${text}` };
      await json({ method: 'POST', does: 'answer', path, body });
    },
  };
}

const commentSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  created_at: z.string(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  path: z.string().optional(),
  line: z.number().nullish(),
});

/** The login's own name; a job's token has none. */
async function ownLogin({ json }: ForgeApi): Promise<string | undefined> {
  const answer = await json({ path: 'user', elsewhere: true }).catch(() => undefined);
  return z.object({ login: z.string() }).safeParse(answer).data?.login;
}

async function hasWriteAccess({ json }: ForgeApi, login: string): Promise<boolean> {
  // Who is unknown there may not.
  const path = `/collaborators/${encodeURIComponent(login)}/permission`;
  const answer = await json({ path }).catch(() => undefined);
  const { permission } = z.object({ permission: z.string() }).safeParse(answer).data ?? {};
  return permission === 'admin' || permission === 'write';
}

function askOnce<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
}
