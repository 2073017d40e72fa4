import { inflateSync } from 'node:zlib';
import { isJsonObject, type Json, parseJson, valueAt, isList } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import { testedInterface } from '../parts/tested-interface.ts';
import { renderHtml } from '../../report/html/render.ts';

/** The HTML report as one text. */
export const htmlReport = (result: Result): string => [...renderHtml(result, testedInterface)].join('');

/** Raw text of an element without children. */
export const elementText = (page: string, name: string): string =>
  new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? '';

const packedElement = /<script type="application\/octet-stream" id="([\w-]+)">([A-Za-z0-9+/=]*)<\/script>/g;

const inflate = (packed: string): string => inflateSync(Buffer.from(packed, 'base64')).toString();

/** The page with its packed data unpacked in place. */
export const withUnpacked = (page: string): string =>
  page.replace(packedElement, (_, id: string, packed: string) => `${id}: ${inflate(packed)}`);

/** The page without its packed data. */
export const withoutPacked = (page: string): string => page.replace(packedElement, '');

/** Unpacked data of the page by element id. */
const unpackAll = (page: string): ReadonlyMap<string, string> =>
  new Map([...page.matchAll(packedElement)].map(([, id = '', packed = '']) => [id, inflate(packed)]));

/** Unpacked data of the page, one text for each element. */
export const unpackedTexts = (page: string): readonly string[] => [...unpackAll(page).values()];

/** Unpacked data of one element. */
export const unpackedText = (page: string, id: string): string => unpackAll(page).get(id) ?? '';

/** Cases known to the page's script, in the order of the result. */
export function packedCases(page: string): readonly Json[] {
  const data = parseJson(unpackedText(page, 'cases-data'));
  const cases = isJsonObject(data) ? data['cases'] : undefined;
  return isList(cases) ? cases : [];
}

/** Data that the page loads when a case is opened; null for a case that has none. */
export function packedChunks(page: string): readonly Json[] {
  const blocks = unpackAll(page);
  return packedCases(page).map((row) => {
    const lines = blocks.get(`block-${String(valueAt(row, 'place.0'))}`)?.split('\n') ?? [];
    return parseJson(lines[Number(valueAt(row, 'place.1'))] ?? 'null') ?? null;
  });
}

/** The page without script and style sheet. */
export const withoutAssets = (page: string): string =>
  page.replace(elementText(page, 'script'), '').replace(elementText(page, 'style'), '');
