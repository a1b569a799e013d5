export type { ShownExchange as Exchange } from '../http/exchange.ts';
export type { Report, ReportedRequirement } from '../reports/report.ts';
export type { Outcome } from '../requirement/outcome.ts';
export { SettingsError } from '../settings/errors.ts';
export { type JudgeOptions, type JudgeSettings, judge } from './judge.ts';
