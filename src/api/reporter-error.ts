import { CarrierspecError } from '../model/problem.ts';
import type { CertifyResult } from './options.ts';

/** A reporter threw. The run came to its end all the same. */
export class ReporterError extends CarrierspecError {
  readonly result: CertifyResult;

  constructor(cause: unknown, result: CertifyResult) {
    super(cause instanceof Error ? cause.message : String(cause), { code: 'reporter-failed', cause });
    this.result = result;
  }
}
