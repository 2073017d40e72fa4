/** Entry point `carrierspec`: everything whose stability docs/library.md promises. */
import type { RunOutcome } from '../model/rule.ts';
export { certify } from './certify.ts';
export { ReporterError } from './options.ts';
export type {
  CertifyOptions,
  CertifyResult,
  EmbeddedTarget,
  ReportName,
  TargetChoice,
  TargetFile,
} from './options.ts';
export { loadSuites } from './suites.ts';
export type { LoadedCase, LoadedRule, LoadedSuites } from './suites.ts';
export { CarrierspecError } from '../model/problem.ts';
export type { Problem } from '../model/problem.ts';
export type { ErrorCode } from '../model/problem.ts';
export type { DriverInput, DriverModule, DriverOutput } from '../model/action.ts';
export type { ProgressEvent, Reporter, ReporterContext, ReporterModule } from '../model/progress.ts';
export type { CaseResult, InvariantResult, Result, ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
export type { Json, JsonObject } from '../lib/json.ts';
export type { Finding } from '../model/finding.ts';
export type { Level } from '../model/rule.ts';
export type { Verdict } from '../model/rule.ts';

/** Outcome of a run. */
export type Outcome = RunOutcome;
