import { isJsonObject } from '../lib/json.ts';

/** How one value of version 1 of the result, and what lies below it, is written since version 2. */
interface Change {
  /** The name that the member has in version 2. */
  readonly name?: string;
  /** By the value of version 1, that of version 2. */
  readonly values?: Readonly<Record<string, string>>;
  /** By the name that the member has in version 1; `*` is every member, or every item of a list. */
  readonly below?: Readonly<Record<string, Change>>;
}

const each = (change: Change): Change => ({ below: { '*': change } });
const called = (name: string): Change => ({ name });

const level: Change = { values: { observed: 'informational' } };
const verdict: Change = { values: { recorded: 'informational' } };
const byLevel: Change = { below: { observed: called('informational') } };
const findings = each({ below: { level } });

const changedCase: Change = {
  below: {
    verdict,
    findings,
    messages: each({ below: { answer: called('response'), noAnswer: called('noResponse') } }),
  },
};

const changedFooter: Change = {
  below: {
    score: byLevel,
    areas: each(byLevel),
    counts: { below: { recorded: called('informational') } },
    limits: each({ below: { probes: each({ below: { answer: called('response') } }) } }),
    profile: each({ below: { says: called('description') } }),
  },
};

/** A whole result, and with it the header and the end of a journal: their members are members of a result. */
const changedDocument: Change = {
  below: {
    level,
    clock: { below: { kind: { values: { driven: 'virtual' } } } },
    strays: called('unsolicited'),
    rules: each({
      below: {
        level,
        verdict,
        says: called('description'),
        reading: called('interpretation'),
        attestation: { below: { says: called('description') } },
      },
    }),
    invariants: each({ below: { on: { values: { answer: 'response' } }, verdict, findings } }),
    cases: each(changedCase),
    footer: changedFooter,
  },
};

function convert(value: unknown, { values, below }: Change): unknown {
  if (typeof value === 'string') return values !== undefined && Object.hasOwn(values, value) ? values[value] : value;
  if (below === undefined) return value;
  const changeOf = (member: string): Change => (Object.hasOwn(below, member) ? below[member] : below['*']) ?? {};
  if (Array.isArray(value)) return value.map((item: unknown) => convert(item, changeOf('*')));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, held]) => {
      const change = changeOf(member);
      return [change.name ?? member, convert(held, change)];
    }),
  );
}

/** The interface that every result of version 1 is about; the header did not name it. */
const onlyInterface = { id: 'server-initiated', version: '1.0' };

/** Members of a header that version 1 wrote with other values. */
const currentHeader = (value: unknown): unknown =>
  isJsonObject(value) && value['version'] === 1 ? { ...value, version: 2, interface: onlyInterface } : value;

/** A whole result of version 1 as version 2 has it; what is no result stays as it is. */
export const documentFromVersion1 = (value: unknown): unknown => currentHeader(convert(value, changedDocument));

const changedLines: Readonly<Record<string, Change>> = {
  header: changedDocument,
  case: changedCase,
  end: changedDocument,
  footer: changedFooter,
  sealed: { below: { kind: { values: { sealed: 'encrypted' } }, sealed: called('encrypted') } },
};

/** A line of a journal of version 1 as version 2 has it; what is no such line stays as it is. */
export function lineFromVersion1(value: unknown): unknown {
  const kind = isJsonObject(value) ? value['kind'] : undefined;
  const change = typeof kind === 'string' && Object.hasOwn(changedLines, kind) ? changedLines[kind] : undefined;
  return change === undefined ? value : currentHeader(convert(value, change));
}
