import type { Comparison } from '../../compare/comparison.ts';
import { createPage } from '../shared/layout.ts';

/** A view of a comparison, in chunks that are written one after the other. */
export type ComparisonReport = (comparison: Comparison) => Iterable<string>;

/** Width of a terminal report that goes to a file. */
const fileWidth = 100;

/** What `compare --report FORMAT=PATH` can make; each is loaded when it is asked for. */
export const comparisonFormats = {
  terminal: async (): Promise<ComparisonReport> => {
    const { renderComparison } = await import('./terminal.ts');
    return (comparison) => [renderComparison(createPage({ colour: false, width: fileWidth }), comparison)];
  },
  html: async (): Promise<ComparisonReport> => {
    const { renderComparisonHtml } = await import('./html.ts');
    return (comparison) => [renderComparisonHtml(comparison)];
  },
  markdown: async (): Promise<ComparisonReport> => {
    const { renderComparisonMarkdown } = await import('./markdown.ts');
    return (comparison) => [renderComparisonMarkdown(comparison)];
  },
  json: async (): Promise<ComparisonReport> => (await import('./json.ts')).renderComparisonJson,
} as const satisfies Readonly<Record<string, () => Promise<ComparisonReport>>>;

export type ComparisonFormat = keyof typeof comparisonFormats;

export function isComparisonFormat(name: string): name is ComparisonFormat {
  return Object.hasOwn(comparisonFormats, name);
}
