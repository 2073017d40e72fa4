import { ifKnown } from '../../../engine/context/walk.ts';
import { plainText } from '../../../lib/json.ts';
import { defined } from '../../../lib/optional.ts';
import type { Interface } from '../../../model/interface.ts';
import type { BaseRequest, Difference, TemplateMap } from '../../../model/suite.ts';
import type { Scope, Template } from '../../../model/template.ts';
import { buildRequestObject } from '../../../wire/build/request-object.ts';

const lifeOnly = (map: TemplateMap = []): TemplateMap => map.filter(([name]) => name === 'expires_in');

/** Text that does not set the life is left out: it may read what only a run knows. */
const setsLife = (append: Template | undefined): boolean =>
  append !== undefined && plainText(append.source).includes('expires_in');

/** The `expires_in` of an object with its differences, as it will be sent; the longest where only a run can know. */
export function askedLife(
  base: BaseRequest | undefined,
  { difference, scope }: { readonly difference: Difference; readonly scope: Scope },
  { timing }: Interface,
): unknown {
  const { drop, raw, append, claims } = difference;
  const own: Difference = {
    claims: lifeOnly(claims),
    ...defined({ drop, raw: raw && lifeOnly(raw), append: setsLife(append) ? append : undefined }),
  };
  const whole = { header: [], claims: lifeOnly(base?.claims) };
  const found = ifKnown(() => ({ life: buildRequestObject(whole, own, scope).claims['expires_in'] }));
  return found === undefined ? timing.longestWatch : found.life;
}
