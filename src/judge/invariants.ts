import type { Finding } from '../model/finding.ts';
import type { InvariantResult } from '../model/result.ts';
import type { MessageKind } from '../model/suite.ts';
import { MissingValue, type Scope } from '../model/template.ts';
import type { NamedCheck, RunMessage } from './check.ts';
import { judgeExpectation } from './expectations.ts';
import { concluded, keepFindings, type Tally } from './invariant-tally.ts';
import type { Judgeable, Mismatch } from './mismatch.ts';
import type { ResponseObservation, CallbackObservation, EventObservation } from './observation.ts';
import { asFindings, type RuleBook } from './rule-book.ts';
import { createEvidenceLog, inTime, type PlacedEvidence, type Evidence } from './witness.ts';
import type { Invariant } from '../suite/suites.ts';

/** Where a message was seen, and how its secrets are taken out of what is kept. */
export interface ObservationContext {
  readonly caseId: string;
  /** Place of the case in the run. */
  readonly order: number;
  readonly scope: Scope;
  readonly redact: (finding: Finding) => Finding;
}

/** Judges every message of a run against the standing rules. */
export interface InvariantJudge {
  readonly onResponse: (response: ResponseObservation, observedIn: ObservationContext) => void;
  /** An answer of another endpoint, or a delivery at the event endpoint. */
  readonly onMessage: (
    kind: MessageKind,
    observation: ResponseObservation | EventObservation,
    observedIn: ObservationContext,
  ) => void;
  readonly onCallback: (callback: CallbackObservation, observedIn: ObservationContext) => void;
  /** What the messages of a case that has ended showed; forgotten here then. Only where witnesses are kept. */
  readonly takeEvidence: (caseId: string) => Evidence;
  /** Takes in what was shown before the run was cut off; `order` is the place of each case in the run. */
  readonly restore: (witnesses: readonly PlacedEvidence[]) => void;
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
  observation: Judgeable,
  scope: Scope,
  checks: Readonly<Record<string, NamedCheck>>,
): Mismatch[] {
  const found = judgeExpectation(expectation, observation, scope);
  for (const name of expectation.checks ?? []) {
    const named = checks[name];
    if (named?.over !== 'message') continue;
    for (const mismatch of named.check(observation)) found.push({ code: 'check', ...mismatch });
  }
  return found;
}

export function createInvariantJudge(options: InvariantJudgeOptions): InvariantJudge {
  const { invariants, checks, rules } = options;
  const stand = createEvidenceLog(options.keepWitnesses === true);
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
    observation: ResponseObservation | CallbackObservation | EventObservation,
    { scope, caseId, order, redact }: ObservationContext,
  ): void {
    const tally = tallies.get(invariant);
    if (tally === undefined) return;
    const found: Finding[] = [];
    let missing = 0;
    for (const expectation of invariant.expectations) {
      const place = { message: observation.message, seenIn: caseId, position: invariant.position };
      try {
        for (const mismatch of mismatchesOf(expectation, observation, scope, checks)) {
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
    observation: ResponseObservation | CallbackObservation | EventObservation,
    observedIn: ObservationContext,
  ): void => {
    for (const kind of kinds)
      for (const invariant of byKind.get(kind) ?? []) judgeOne(invariant, observation, observedIn);
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
    onResponse: (response, observedIn) => {
      if (response.status !== undefined) {
        judgeAll(['response', response.outcome === 'accepted' ? 'accepted' : 'refused'], response, observedIn);
      }
      observeRun({ response, seenIn: observedIn.caseId });
    },
    onMessage: (kind, observation, observedIn) => {
      judgeAll([kind], observation, observedIn);
      observeRun(
        observation.kind === 'event'
          ? { event: observation, seenIn: observedIn.caseId }
          : { response: observation, seenIn: observedIn.caseId },
      );
    },
    onCallback: (callback, observedIn) => {
      const kinds: MessageKind[] = ['callback'];
      if (callback.tokens) kinds.push('tokens');
      if (callback.error) kinds.push('callback-error');
      judgeAll(kinds, callback, observedIn);
      observeRun({ callback, seenIn: observedIn.caseId });
    },
    takeEvidence: stand.take,
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
