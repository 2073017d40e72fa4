import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';

/** An object with some of its members under another name; anything else as it is. */
function rename(value: Json | undefined, names: Readonly<Record<string, string>>): Json {
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name] ?? name, member]));
}

/** Values of version 1 that have another word now. */
const words: ReadonlyMap<Json | undefined, string> = new Map([
  ['recorded', 'informational'],
  ['observed', 'informational'],
  ['driven', 'virtual'],
]);

const wordOf = (value: Json | undefined): Json => words.get(value) ?? value ?? null;

/** An object in which the member `name` has the word of today. */
function reword(value: Json | undefined, name: string): Json {
  return isJsonObject(value) ? { ...value, [name]: wordOf(value[name]) } : (value ?? null);
}

const eachOf = (value: Json | undefined, change: (one: Json) => Json): Json => {
  const list: readonly Json[] | undefined = Array.isArray(value) ? value : undefined;
  return list?.map(change) ?? value ?? null;
};

/**
 * A manifest of version 1 in the words of version 2, to be held to the schema as any other. Version 1 named no interface:
 * there was one.
 */
export function upgradeManifest(manifest: JsonObject): JsonObject {
  const { clock, run, result, score, counts, verdicts, notJudged, attested } = manifest;
  const says = { says: 'description' };
  return {
    ...manifest,
    version: 2,
    interface: { id: 'server-initiated', version: '1.0' },
    clock: reword(clock, 'kind'),
    run: reword(run, 'level'),
    result: rename(result, { strays: 'unsolicited' }),
    score: rename(score, { observed: 'informational' }),
    counts: rename(counts, { recorded: 'informational' }),
    verdicts: isJsonObject(verdicts)
      ? Object.fromEntries(Object.entries(verdicts).map(([rule, verdict]) => [rule, wordOf(verdict)]))
      : (verdicts ?? null),
    notJudged: eachOf(notJudged, (one) => reword(one, 'verdict')),
    attested: eachOf(attested, (one) => rename(one, says)),
  };
}
