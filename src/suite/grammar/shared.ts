import { parseDuration } from '../../lib/duration.ts';
import type { Cursor } from '../yaml/cursor.ts';
import { type Grammar, json, list, mapped, named, oneOrMore, pattern, placed, text, type Words } from './grammar.ts';

export const kebabForm = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

/** A kebab-case name; `example` stands in messages. */
export const name = (description: string, example = 'iat-too-old'): Grammar<string> =>
  pattern(kebabForm, { title: `a kebab-case name such as ${example}`, description });

/** Seconds, written as a duration. */
export const duration = (description: string): Grammar<number> =>
  mapped(
    pattern('^(?=.)(?:[0-9.]+d)?(?:[0-9.]+h)?(?:[0-9.]+m)?(?:[0-9.]+s)?(?:[0-9.]+ms)?$', {
      title: 'a duration such as 60s or 5m30s',
      description,
    }),
    parseDuration,
  );

/** A mapping whose values may be templates. */
export const values = (description: string, words: Words = {}): Grammar<Cursor> =>
  json({ type: 'object', title: 'a mapping', ...words, description });

/** A text that may hold templates. */
export const templateText = (description: string): Grammar<Cursor> => json({ type: 'string', description });

export const names = (title: string, description: string, words: Words = {}): Grammar<readonly string[]> =>
  list(text(), { title, ...words, description });

export const method = (description: string): Grammar<string> =>
  pattern('^[A-Z]+$', { title: 'an HTTP method such as PUT', description });

export const httpHeaders = values('HTTP headers; a header set to null is not sent.');

/** A moment of the case's timeline; `compileMoment` reads it. */
export const moment = named('moment', placed(text({ title: 'a moment such as first + 4m30s' })));

/** The rules and aspects that something judges; `compileRuleRefs` reads them. */
export const ruleRefs = named(
  'rule',
  placed(
    oneOrMore(
      pattern('^[A-Z]+-[0-9]+[a-z]?(#[a-z0-9]+(-[a-z0-9]+)*)?$', {
        title: 'a rule such as REQ-007 or REQ-007#near-miss',
      }),
      { title: 'a rule such as REQ-007 or REQ-007#near-miss, or a list of them' },
    ),
  ),
);

/** Faults of the reference carrier, each with its place. */
export const faults = named(
  'faults',
  list(placed(pattern(kebabForm, { title: 'a kebab-case name such as iat-too-old' })), { title: 'a list of faults' }),
);
