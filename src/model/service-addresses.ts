/** What connects a Service with addresses, as the API server has it. */
export type ServiceAddresses = {
  /** `spec.type`. */
  readonly type: string;
  /** `spec.clusterIPs` that are addresses: none for a headless Service and for `ExternalName`. */
  readonly clusterIPs: readonly string[];
  /** Whether its endpoints are found by a selector, hence Pods of its own namespace. */
  readonly selects: boolean;
};
