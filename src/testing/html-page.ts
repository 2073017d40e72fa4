import { parseJson, type Json } from '../lib/json.ts';
import type { Result } from '../model/result.ts';
import { clausesOf } from '../interfaces/registry.ts';
import { renderHtml } from '../report/html/render.ts';

/** The HTML report as one text. */
export const pageOf = (result: Result): string => [...renderHtml(result, clausesOf)].join('');

/** The text of an element that has none within it, as it stands in the file. */
export const inside = (page: string, name: string): string =>
  new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? '';

/** What is kept of each case for the moment somebody opens it. */
export const chunksOf = (page: string): readonly Json[] =>
  [...page.matchAll(/<script type="application\/json" id="chunk-\d+">(.*?)<\/script>/g)].map(
    ([, text = '']) => parseJson(text) ?? null,
  );

/** Everything outside of the script and the style sheet. */
export const withoutAssets = (page: string): string =>
  page.replace(inside(page, 'script'), '').replace(inside(page, 'style'), '');
