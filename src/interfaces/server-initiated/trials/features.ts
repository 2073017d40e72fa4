import type { CaseContext } from '../../../engine/context/case-context.ts';
import { type Found, ok, skipped, type Trial, warning } from '../../../engine/preflight/note.ts';
import { isJsonObject } from '../../../lib/json.ts';
import type { Client } from '../../../model/target.ts';
import { ask, type Claims, complete, isAccepted, said } from './ask.ts';

type Tried = Trial<CaseContext>;

/** What a carrier that has the feature did, and one that has not; the file says which one it is. */
function judge(word: string, { has, what }: { readonly has: boolean; readonly what: string }, ctx: CaseContext): Found {
  const declared = ctx.world.target.supports[word];
  if (has === (declared ?? true)) return ok('', has ? 'the carrier has it' : 'the carrier has it not, as declared');
  return warning('', {
    whose: 'configuration',
    description: `the file ${declared === undefined ? 'does not say that the carrier has no' : declared ? 'says that the carrier has' : 'says that the carrier has no'} ${word}, and ${what}`,
    change: has
      ? `take "${word}: false" out of "supports", so that it is judged`
      : `write "supports: { ${word}: false }"`,
  });
}

interface Word {
  readonly word: string;
  readonly fits: (client: Client) => boolean;
  readonly claims: (ctx: CaseContext) => Claims | undefined;
}

const isMain = ({ name }: Client): boolean => name === 'main';

/** Words of `supports` that the response to one request shows. */
const words: readonly Word[] = [
  { word: 'scopes-without-openid', fits: isMain, claims: () => ({ scope: 'name' }) },
  { word: 'long-values', fits: isMain, claims: () => ({ state: 's'.repeat(1100), nonce: 'n'.repeat(1100) }) },
  {
    word: 'phone-hints',
    fits: ({ flags }) => flags['enum_enabled'] === true,
    claims: ({ subscriber: { phone } }) => (phone === undefined ? undefined : { login_hint: phone }),
  },
];

const byRequest = words.map(
  ({ word, fits, claims }): Tried => ({
    about: `supports ${word}`,
    fits,
    run: async (ctx) => {
      const given = claims(ctx);
      if (given === undefined) return [skipped('', 'not tried: the subscriber has no phone')];
      const response = await ask(word, given, ctx);
      const what = isAccepted(response)
        ? 'a request with it is accepted'
        : `a request with it is refused: ${said(response)}`;
      return [judge(word, { has: isAccepted(response), what }, ctx)];
    },
  }),
);

const scopeOf = (body: unknown): readonly string[] => {
  const scope = isJsonObject(body) ? body['scope'] : undefined;
  return typeof scope === 'string' ? scope.split(' ') : [];
};

/** One of two scopes is approved: does the token have both? */
const partial: Tried = {
  about: 'supports partial-approval',
  fits: isMain,
  run: async (ctx) => {
    const callback = await complete({ scope: 'openid name email', prompt: 'consent' }, ['openid', 'name'], ctx);
    const got = scopeOf(callback.body);
    if (got.length === 0) return [skipped('', 'not known: the callback names no scope')];
    const has = got.includes('name') && !got.includes('email');
    const what = `of "openid name email" the approval of "openid name" gave "${got.join(' ')}"`;
    return [judge('partial-approval', { has, what }, ctx)];
  },
};

export const featureTrials: readonly Tried[] = [...byRequest, partial];
