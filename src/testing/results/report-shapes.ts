import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import { type FormatName, formats, isFormatName } from '../../report/formats.ts';
import { dangersIn, poisonResult } from '../carriers/hostile.ts';
import { fromHostileCarrier } from '../carriers/hostile-carrier.ts';
import { testedInterface } from '../parts/tested-interface.ts';
import { ctrfMistakes, harMistakes, markdownTokens, parseWorkflowCommand, sarifMistakes } from './report-parsers.ts';

export async function renderReport(format: FormatName, result: Result): Promise<string> {
  const report = await formats[format]();
  return [...report(result, testedInterface)].join('');
}

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  preserveOrder: true,
  trimValues: false,
  processEntities: false,
});

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('the report is no object');
  return value;
}

const itemsOf = (value: unknown, name: string): readonly unknown[] => {
  const items: unknown = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(items) ? items : [];
};

const namesOf = (value: unknown): readonly string[] => (isJsonObject(value) ? Object.keys(value) : []);

function xmlShape(text: string): unknown {
  const walk = (nodes: unknown): unknown =>
    Array.isArray(nodes)
      ? nodes.flatMap((node: unknown) =>
          isJsonObject(node)
            ? Object.entries(node)
                .filter(([name]) => name !== '#text')
                .map(([name, below]) =>
                  name === ':@' && isJsonObject(below) ? Object.keys(below) : [name, walk(below)],
                )
            : [],
        )
      : 0;
  const parsed: unknown = xml.parse(text);
  return walk(parsed);
}

const commandShape = (text: string): unknown =>
  text
    .split('\n')
    .slice(0, -1)
    .map(parseWorkflowCommand)
    .map((command) => (command === undefined ? 'no command' : [command.command, Object.keys(command.properties)]));

/** Blocks and spans without their contents. An empty code span is a word, so the two count as one. */
const markdownShape = (text: string): unknown =>
  markdownTokens(text)
    .map(({ type, content }) => (type === 'html_inline' || type === 'html_block' ? `${type} ${content}` : type))
    .filter((type) => type !== 'text' && type !== 'code_inline');

function harShape(text: string): unknown {
  const { log } = parseObject(text);
  return [namesOf(log), itemsOf(log, 'entries').length, itemsOf(log, 'pages').length, harMistakes({ log })];
}

function ctrfShape(text: string): unknown {
  const document = parseObject(text);
  return [ctrfMistakes(document), itemsOf(document['results'], 'tests').map(namesOf)];
}

/** Names and levels in the run; messages must have no link or placeholder. */
function sarifShape(text: string): unknown {
  const document = parseObject(text);
  const [run] = itemsOf(document, 'runs');
  const { tool } = isJsonObject(run) ? run : {};
  const [invocation] = itemsOf(run, 'invocations');
  const results = itemsOf(run, 'results').filter(isJsonObject);
  const notifications = itemsOf(invocation, 'toolExecutionNotifications').filter(isJsonObject);
  const messages = [...results, ...notifications].map(({ message }) => JSON.stringify(message));
  return [
    sarifMistakes(document),
    results.map((one) => [one['level'], Object.keys(one), itemsOf(one, 'locations').map(namesOf)]),
    notifications.map((one) => [one['level'], Object.keys(one)]),
    itemsOf(isJsonObject(tool) ? tool['driver'] : undefined, 'rules').length,
    messages.filter((message) => /\]\(|[^{]\{\d+\}(?!\})/.test(message)),
  ];
}

/** Shape of each report, which must not depend on what the carrier sends; HTML has tests of its own. */
export const reportShapes: Readonly<Record<Exclude<FormatName, 'html'>, (text: string) => unknown>> = {
  json: (text) => namesOf(parseObject(text)),
  junit: xmlShape,
  markdown: markdownShape,
  annotations: commandShape,
  ctrf: ctrfShape,
  har: harShape,
  sarif: sarifShape,
  // Wrapping changes the lines with the texts, so only their safety is checked.
  terminal: () => 'lines',
};

/** Attacks replace everything a carrier controls, or extend every free text of the result. */
const attacks = { instead: fromHostileCarrier, behind: poisonResult };

/** Tests that in no format these texts of a carrier change the shape of the report on a result. */
export function testHostileTexts(result: Result, texts: Readonly<Record<string, string>>): void {
  describe.each(Object.entries(reportShapes))('%s', (name, shape) => {
    const format = isFormatName(name) ? name : 'json';
    describe.each(Object.entries(attacks))('with a text %s', (_, attack) => {
      const expected = renderReport(format, attack(result, 'harmless')).then(shape);
      it.each(Object.entries(texts))('keeps its shape, and shows no dangerous character: %s', async (__, text) => {
        const report = await renderReport(format, attack(result, text));
        expect(dangersIn(report)).toEqual([]);
        expect(shape(report)).toEqual(await expected);
      });
    });
  });
}
