/**
 * The version of the set of requirements, which every report carries. It grows with each change that may turn a
 * verdict: the first number when a service that conformed may no longer do so.
 */
export const REQUIREMENT_SET = '1.0.0';
