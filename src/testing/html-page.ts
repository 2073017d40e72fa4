import { inflateSync } from 'node:zlib';
import { isJsonObject, type Json, parseJson, valueAt, isList } from '../lib/json.ts';
import type { Result } from '../model/result.ts';
import { certified } from './certified.ts';
import { renderHtml } from '../report/html/render.ts';

/** The HTML report as one text. */
export const pageOf = (result: Result): string => [...renderHtml(result, certified)].join('');

/** The text of an element that has none within it, as it stands in the file. */
export const inside = (page: string, name: string): string =>
  new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? '';

const packedElement = /<script type="application\/octet-stream" id="([\w-]+)">([A-Za-z0-9+/=]*)<\/script>/g;

const inflate = (packed: string): string => inflateSync(Buffer.from(packed, 'base64')).toString();

/** The page with everything that it carries packed as the text that was packed. */
export const withUnpacked = (page: string): string =>
  page.replace(packedElement, (_, id: string, packed: string) => `${id}: ${inflate(packed)}`);

/** The page without what it carries packed. */
export const withoutPacked = (page: string): string => page.replace(packedElement, '');

/** What the page carries packed, by the id of its element. */
const unpackedOf = (page: string): ReadonlyMap<string, string> =>
  new Map([...page.matchAll(packedElement)].map(([, id = '', packed = '']) => [id, inflate(packed)]));

/** Everything that the page carries packed, a text for each element. */
export const allUnpacked = (page: string): readonly string[] => [...unpackedOf(page).values()];

/** The text that the page carries packed in the element of that id. */
export const unpacked = (page: string, id: string): string => unpackedOf(page).get(id) ?? '';

/** What the page's script knows of the cases, in the order of the result. */
export function casesIn(page: string): readonly Json[] {
  const data = parseJson(unpacked(page, 'cases-data'));
  const cases = isJsonObject(data) ? data['cases'] : undefined;
  return isList(cases) ? cases : [];
}

/** What is kept of each case for the moment somebody opens it; null of those of which nothing is. */
export function chunksOf(page: string): readonly Json[] {
  const blocks = unpackedOf(page);
  return casesIn(page).map((row) => {
    const lines = blocks.get(`block-${String(valueAt(row, 'place.0'))}`)?.split('\n') ?? [];
    return parseJson(lines[Number(valueAt(row, 'place.1'))] ?? 'null') ?? null;
  });
}

/** Everything outside of the script and the style sheet. */
export const withoutAssets = (page: string): string =>
  page.replace(inside(page, 'script'), '').replace(inside(page, 'style'), '');
