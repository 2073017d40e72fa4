import type { Finding } from '../model/finding.ts';
import type { InvariantResult } from '../model/result.ts';
import type { Invariant, MessageKind } from '../model/suite.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import type { NamedCheck, RunMessage } from './check.ts';
import { judgeExpectation } from './expectations.ts';
import { concluded, keepFindings, type Tally } from './invariant-tally.ts';
import type { Judgeable, Mismatch } from './mismatch.ts';
import type { AnswerSeen, CallbackSeen, EventSeen } from './observation.ts';
import { asFindings, type RuleBook } from './rule-book.ts';
import { createWitnessStand, inTime, type PlacedWitness, type Witness } from './witness.ts';

/** Where a message was seen, and how its secrets are taken out of what is kept. */
export interface Sighting {
  readonly caseId: string;
  /** Place of the case in the run. */
  readonly order: number;
  readonly scope: Scope;
  readonly redact: (finding: Finding) => Finding;
}

/** Judges every message of a run against the standing rules. */
export interface InvariantJudge {
  readonly onAnswer: (answer: AnswerSeen, sighting: Sighting) => void;
  /** An answer of another endpoint, or a delivery at the event endpoint. */
  readonly onMessage: (kind: MessageKind, seen: AnswerSeen | EventSeen, sighting: Sighting) => void;
  readonly onCallback: (callback: CallbackSeen, sighting: Sighting) => void;
  /** What the messages of a case that has ended showed; forgotten here then. Only where witnesses are kept. */
  readonly takeWitness: (caseId: string) => Witness;
  /** Takes in what was shown before the run was cut off; `order` is the place of each case in the run. */
  readonly restore: (witnesses: readonly PlacedWitness[]) => void;
  readonly conclude: () => readonly InvariantResult[];
}

export interface InvariantJudgeOptions {
  readonly invariants: readonly Invariant[];
  readonly checks: Readonly<Record<string, NamedCheck>>;
  readonly rules: RuleBook;
  /** For a run that may be resumed. */
  readonly keepWitnesses?: boolean;
}

/** The mismatches of one expectation, named checks included. */
export function mismatchesOf(
  expectation: Invariant['expectations'][number],
  seen: Judgeable,
  scope: Scope,
  checks: Readonly<Record<string, NamedCheck>>,
): Mismatch[] {
  const found = judgeExpectation(expectation, seen, scope);
  for (const name of expectation.checks ?? []) {
    const named = checks[name];
    if (named?.over !== 'message') continue;
    for (const mismatch of named.check(seen)) found.push({ code: 'check', ...mismatch });
  }
  return found;
}

export function createInvariantJudge(options: InvariantJudgeOptions): InvariantJudge {
  const { invariants, checks, rules } = options;
  const stand = createWitnessStand(options.keepWitnesses === true);
  const tallies = new Map<Invariant, Tally>();
  const byKind = new Map<MessageKind, Invariant[]>();
  for (const invariant of invariants) {
    const names = invariant.expectations.flatMap((expectation) => expectation.checks ?? []);
    const run = names.flatMap((name) => {
      const check = checks[name];
      return check?.over === 'run' ? [{ name, state: check.begin() }] : [];
    });
    tallies.set(invariant, { judged: 0, violations: 0, kept: new Map(), run });
    byKind.set(invariant.on, [...(byKind.get(invariant.on) ?? []), invariant]);
  }

  const keep = (tally: Tally, found: readonly Finding[], order: number): void => {
    tally.violations += 1;
    keepFindings(tally, found, order);
  };

  function judgeOne(
    invariant: Invariant,
    seen: AnswerSeen | CallbackSeen | EventSeen,
    { scope, caseId, order, redact }: Sighting,
  ): void {
    const tally = tallies.get(invariant);
    if (tally === undefined) return;
    const found: Finding[] = [];
    let missing = 0;
    for (const expectation of invariant.expectations) {
      const place = { message: seen.message, seenIn: caseId, position: invariant.position };
      try {
        for (const mismatch of mismatchesOf(expectation, seen, scope, checks)) {
          found.push(...asFindings(mismatch, expectation.rules, place, rules).map(redact));
        }
      } catch (error) {
        // Nothing to compare with (the claim was not sent): this expectation has nothing to say of the message.
        if (!(error instanceof MissingValue)) throw error;
        missing += 1;
      }
    }
    if (missing === invariant.expectations.length) return;
    tally.judged += 1;
    stand.judged(caseId, invariant.id, found);
    if (found.length > 0) keep(tally, found, order);
  }

  const judgeAll = (
    kinds: readonly MessageKind[],
    seen: AnswerSeen | CallbackSeen | EventSeen,
    sighting: Sighting,
  ): void => {
    for (const kind of kinds) for (const invariant of byKind.get(kind) ?? []) judgeOne(invariant, seen, sighting);
  };
  const observeRun = (message: RunMessage): void => {
    stand.observed(message);
    showRunChecks(message);
  };
  const showRunChecks = (message: RunMessage): void => {
    for (const invariant of byKind.get('run') ?? []) {
      for (const { state } of tallies.get(invariant)?.run ?? []) state.observe(message);
    }
  };

  function concludeRun(invariant: Invariant, tally: Tally): void {
    for (const { state } of tally.run) {
      const { mismatches, judged } = state.conclude();
      tally.judged += judged;
      for (const { message, seenIn, ...mismatch } of mismatches) {
        const place = { message, seenIn, position: invariant.position };
        const refs = invariant.expectations.flatMap((expectation) => expectation.rules);
        keep(tally, asFindings({ code: 'check', ...mismatch }, refs, place, rules), tally.violations);
      }
    }
  }

  return {
    onAnswer: (answer, sighting) => {
      if (answer.status !== undefined) {
        judgeAll(['answer', answer.outcome === 'accepted' ? 'accepted' : 'refused'], answer, sighting);
      }
      observeRun({ answer, seenIn: sighting.caseId });
    },
    onMessage: (kind, seen, sighting) => {
      judgeAll([kind], seen, sighting);
      observeRun(
        seen.kind === 'event' ? { event: seen, seenIn: sighting.caseId } : { answer: seen, seenIn: sighting.caseId },
      );
    },
    onCallback: (callback, sighting) => {
      const kinds: MessageKind[] = ['callback'];
      if (callback.tokens) kinds.push('tokens');
      if (callback.error) kinds.push('callback-error');
      judgeAll(kinds, callback, sighting);
      observeRun({ callback, seenIn: sighting.caseId });
    },
    takeWitness: stand.take,
    restore: (witnesses) => {
      const byId = new Map([...tallies].map(([invariant, tally]) => [invariant.id, tally]));
      for (const { tallies: before, order } of witnesses) {
        for (const { invariant, judged, violations, findings } of before) {
          const tally = byId.get(invariant);
          if (tally === undefined) continue;
          tally.judged += judged;
          tally.violations += violations;
          keepFindings(tally, findings, order);
        }
      }
      for (const message of inTime(witnesses.flatMap(({ messages }) => messages))) showRunChecks(message);
    },
    conclude: () =>
      [...tallies].map(([invariant, tally]) => {
        concludeRun(invariant, tally);
        return concluded(invariant, tally);
      }),
  };
}
