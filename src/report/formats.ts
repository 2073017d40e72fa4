import type { Comparison } from '../compare/comparison.ts';
import type { Interface } from '../model/interface.ts';
import type { Result } from '../model/result.ts';
import { gateReport } from './shared/gate.ts';

/** A report: a pure function of the result, in chunks to be written one after the other. */
export type Report = (result: Result, known: Interface) => Iterable<string>;

const fileWidth = 100;

/** Makes a plain text inert for CI logs, because a log may show the file. */
const makeInert =
  <Given extends readonly unknown[]>(
    render: (...given: Given) => Iterable<string>,
  ): ((...given: Given) => Iterable<string>) =>
  (...given) =>
    gateReport(render(...given));

/** Adapts a report that is made as one text. */
const inOneChunk =
  <T>(render: (of: T) => string): ((of: T) => Iterable<string>) =>
  (of) => [render(of)];

/** Formats of `--report FORMAT=PATH`, each loaded on demand. */
export const formats = {
  terminal: async (): Promise<Report> => {
    const { renderTerminal } = await import('./terminal/render.ts');
    return makeInert((result: Result) => [renderTerminal(result, { colour: false, width: fileWidth })]);
  },
  json: async (): Promise<Report> => (await import('./json/render.ts')).renderJson,
  junit: async (): Promise<Report> => inOneChunk((await import('./junit/render.ts')).renderJunit),
  markdown: async (): Promise<Report> => makeInert(inOneChunk((await import('./markdown/render.ts')).renderMarkdown)),
  annotations: async (): Promise<Report> => (await import('./annotations/render.ts')).renderAnnotations,
  ctrf: async (): Promise<Report> => (await import('./ctrf/render.ts')).renderCtrf,
  har: async (): Promise<Report> => (await import('./har/render.ts')).renderHar,
  sarif: async (): Promise<Report> => (await import('./sarif/render.ts')).renderSarif,
  html: async (): Promise<Report> => (await import('./html/render.ts')).renderHtml,
} as const satisfies Readonly<Record<string, () => Promise<Report>>>;

export type FormatName = keyof typeof formats;

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(formats, name);

/** A report on a comparison, in chunks to be written one after the other. */
type ComparisonReport = (comparison: Comparison) => Iterable<string>;

/** Formats of `compare --report FORMAT=PATH`, each loaded on demand. */
export const comparisonFormats = {
  terminal: async (): Promise<ComparisonReport> => {
    const { renderComparisonText } = await import('./compare/terminal.ts');
    return makeInert((comparison: Comparison) => [renderComparisonText(comparison, fileWidth)]);
  },
  html: async (): Promise<ComparisonReport> => inOneChunk((await import('./compare/html.ts')).renderComparisonHtml),
  json: async (): Promise<ComparisonReport> => (await import('./compare/prose.ts')).renderComparisonJson,
} as const satisfies Readonly<Record<string, () => Promise<ComparisonReport>>>;

export type ComparisonFormat = keyof typeof comparisonFormats;
