"""What a kernel does, read from its symbol: one ordered table of rules, and the generation."""

import re
from dataclasses import dataclass
from functools import cached_property

UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """The first rule whose pattern occurs in the symbol decides; case is ignored."""

    pattern: str
    label: str
    why: str
    example: str
    """A symbol that this rule must decide; each one is a test."""

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.pattern, re.IGNORECASE)


def _rule(label: str, pattern: str, why: str, example: str) -> Rule:
    return Rule(pattern=pattern, label=label, why=why, example=example)


RULES: tuple[Rule, ...] = (
    _rule("memset", r"^(hip)?memset|amd_rocclr_fillbuffer|_memset$",
          "the driver's own fills, on ROCm run as blit kernels", "Memset (Device)"),
    _rule("copy", r"^(hip)?memcpy|^memory_copy|^copy(host|device)to|amd_rocclr_copybuffer",
          "before communication: a hipMemcpy begins with hip but sends nothing",
          "hipMemcpyWithStream"),
    _rule("attention_backward", r"^triton_tem_fused\w*flex_attention_backward",
          "an inductor template is named after the one operator it implements",
          "triton_tem_fused_flex_attention_backward_3"),
    _rule("attention_forward", r"^triton_tem_fused\w*flex_attention",
          "as above", "triton_tem_fused_flex_attention_0"),
    _rule("grouped_gemm", r"^triton_tem_fused\w*grouped_mm",
          "as above", "triton_tem_fused__grouped_mm_2"),
    _rule("convolution", r"^triton_tem_fused\w*convolution",
          "as above", "triton_tem_fused_convolution_4"),
    _rule("gemm", r"^triton_tem_fused\w*mm",
          "as above; mm, addmm, bmm", "triton_tem_fused_addmm_relu_1"),
    _rule("reduction", r"^triton_(red|per)_fused",
          "inductor lists what it fused, so the prefix decides: red and per reduce",
          "triton_red_fused_add_mean_mul_pow_rsqrt_0"),
    _rule("elementwise", r"^triton_(poi|for)_fused",
          "a fused addmm here is the GEMM's neighbour, not the GEMM",
          "triton_poi_fused_addmm_gelu_2"),
    _rule("communication",
          r"nccl|rccl|msccl|nvshmem|multimem_|all_?reduce|all_?gather|reduce_?scatter|"
          r"all_?to_?all|cross_device_reduce|deep_ep|sendrecv",
          "collectives, also those written by serving engines",
          "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
    _rule("copy", r"reshape_and_cache|copy_page_indices|concat_and_cache",
          "writes keys and values into the cache; flash is the layout's name",
          "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>(__nv_bfloat16 const*)"),
    _rule("attention_backward",
          r"flash_?(attn_?)?(bwd|backward)|fmha_cutlassB|_bwd_kernel_(dk_?dv|dq)|"
          r"(fmha|mha|sdpa|attn|attention)\w{0,80}?(bwd|backward|bprop)|"
          r"(bwd|backward|bprop)\w{0,80}?(fmha|sdpa|attn|attention)",
          "flash, cuDNN, CUTLASS, CK and Triton attention backward",
          "cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26_64x64x128"),
    _rule("attention_backward", r"compute_dot_do_o|convert_dq|fmha_reduce_head",
          "the passes around the backward: row sums of dO*O, dQ cast, dK/dV over shared heads",
          "void cudnn::fusion::compute_dot_do_o_specialized<true, 128>(void const*)"),
    _rule("attention_forward",
          r"flash_?(attn|fwd|mla|attention)|fmha|sdpa|attn_fwd|fwd_attn|attention|attn_kernel|"
          r"(batch|single)(prefill|decode)with|merge_attn|flash_fwd|mha_fwd|^reduce_segments$|"
          r"pa_(decode|prefill|fwd)|mla_(decode|prefill|fwd)",
          "flash, cuDNN, CUTLASS, CK, Triton and paged attention; gmem in a name is a memory "
          "space and says nothing",
          "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>"),
    _rule("other", r"prepare_grouped_gemm_data|computeoffsetskernel",
          "sets up pointers for a multiply, multiplies nothing",
          "void at::cuda::detail::prepare_grouped_gemm_data<cutlass::bfloat16_t>(int)"),
    _rule("grouped_gemm",
          r"grouped_?(gemm|mm)|group_?gemm|groupproblemshape|matmul_ogs|fused_moe_kernel|"
          r"moe\w{0,40}?gemm|bmm_\w{0,200}?dynbatch",
          "the expert multiplies of a mixture of experts in one launch",
          "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu"),
    _rule("convolution",
          r"conv(?!er)|implicit_gemm|(?<![a-z])[fs]?cudnn_\d+x|scudnn|winograd|fprop|dgrad|wgrad|"
          r"igemm_(fwd|bwd|wrw)|fft[12]d_[rc]2[rc]",
          "before GEMM, as implicit GEMM is how it runs; `_typeConvert` is none",
          "sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw"),
    _rule("reduction", r"cublasDotParams|reduce_1Block_kernel",
          "a dot product of the BLAS", "void dot_kernel<float, 128, 0, cublasDotParams<int>>"),
    _rule("gemm",
          r"(?<!fb)gemm(?!a)|nvjet|^Cijk_|cublas|gemv|splitk_?reduce|matmul(?!_scatter)|"
          r"(?<![a-z])b?mm_(kernel|mx|bf|e4|fp)|^triton_b?mm|tinygemm|marlin|machete",
          "cuBLAS, CUTLASS, hipBLASLt (Cijk), Triton; fbgemm_gpu is a library's name",
          "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT"),
    _rule("indexing", r"split_embedding|embedding_(bag|backward)|permute_(pooled|indices|2d|1d)",
          "embedding tables; their fused optimizers belong to the lookup's backward",
          "split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_cta_per_row_1"),
    _rule("optimizer",
          r"adam|adagrad|multi_tensor_apply|fused_?sgd|(?<![a-z{])lamb(?!da)|rmsprop|(?<![a-z])lion_",
          "the update of the parameters and the _foreach kernels that it is made of",
          "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>>"),
    _rule("loss",
          r"nll_loss|cross_?entropy|mse_(kernel|backward)|smooth_l1|huber_|binary_cross|kl_div|"
          r"ctc_loss|_loss(?![a-z])",
          "the loss itself; its log-softmax is a softmax",
          "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float>"),
    _rule("softmax", r"soft_?max", "standing alone: inside fused attention it has no symbol",
          "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16>"),
    _rule("norm",
          r"(layer|rms|batch|group|instance)_?norm|rmsnorm|gammabeta|rowwisemoments|"
          r"(?<![a-z])bn_(fw|bw)|ln_(fwd|bwd)",
          "layer, RMS, batch and group norm, forward and backward",
          "_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass"),
    _rule("other",
          r"routing|bitmatrix|moe_align|(?<![a-z])no?op(?![a-z])|(max|avg|average)_?pool",
          "choosing experts, pooling, markers",
          "void moe::dev::routing::routingIndicesHistogramKernel<moe::dev::routing::KernelParams>"),
    _rule("sort_scan",
          r"radix_?sort|bitonic|merge_?sort|devicescan|_scan_(innermost|outer)|top_?k|"
          r"searchsorted|deviceselect|uniquebykey|devicecompact|cumsum|histogram|sort_?kv|"
          r"(?<![a-z])sort",
          "CUB and its kin; Policy800 is a tuning policy, no architecture",
          "void cub::DeviceRadixSortOnesweepKernel<cub::DeviceRadixSortPolicy<int>::Policy800>"),
    _rule("elementwise", r"rotary|(?<![a-z])rope", "turns pairs of features; embeds nothing",
          "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)"),
    _rule("indexing",
          r"index_(elementwise|put|select|copy|add|fill)|index(select|func|ing)|gather_kernel|"
          r"scatter|embedding|write_indices|linearize_index|bounds_check_indices|take_|"
          r"partial_segment|partials_per_segment|compute_grad_weight|finalize_?(kernel|matmul|moe)|"
          r"offsets_range",
          "gather, scatter and embedding, forward and backward",
          "void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int)"),
    _rule("reduction", r"reduce_?kernel|reduceop|devicereduce|reduction|reduce_rows|"
          r"reducesingletile",
          "sums, means, maxima", "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<"),
    _rule("copy",
          r"copy_kernel|CatArray|nchwToNhwc|nhwcToNchw|transpose|copy_async|batch_memcpy|"
          r"concat_kernel|to_dense_representation",
          "a kernel that moves or casts and computes nothing",
          "void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda(int)>"),
    _rule("memset", r"FillFunctor|(?<!masked_)fill_kernel",
          "a constant, whoever writes it; masked_fill selects, so it is elementwise",
          "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"),
    _rule("elementwise",
          r"elementwise|pointwise|silu|gelu|relu|swiglu|act_and_mul|dropout|quant|"
          r"(?<![a-z])(add|mul|cast)_kernel|arange|CUDAFunctor|distribution_",
          "one output element from the same element of each input",
          "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>"),
    _rule("other", r"magma|interpolat|upsample|fft|triu|tril|curand|philox|random",
          "known, and none of the above", "void at::native::upsample_bilinear2d_out_frame<float>"),
)  # fmt: skip

SHARES: dict[str, tuple[str, ...]] = {
    "attention": ("attention_forward", "attention_backward"),
    "gemm": ("gemm", "grouped_gemm"),
    "elementwise": ("elementwise",),
    "reduction": ("reduction", "norm", "softmax", "loss"),
    "copy": ("copy", "memset"),
    "communication": ("communication",),
    "other": ("convolution", "indexing", "optimizer", "sort_scan", "other"),
    "unknown": (UNKNOWN,),
}
"""Which labels make up which share; every label is in exactly one."""
SHARE_OF = {label: share for share, labels in SHARES.items() for label in labels}


def deciding_rule(symbol: str) -> Rule | None:
    """The first rule that the symbol matches."""
    return next((rule for rule in RULES if rule.regex.search(symbol)), None)


def label_of_symbol(symbol: str) -> str:
    """The label that a kernel's own name gives it, or `unknown`."""
    rule = deciding_rule(symbol)
    return rule.label if rule else UNKNOWN


_TOKEN = re.compile(
    r"(?:sm_?|cutlass(?:3x_sm|_)?)(\d{2,3})(?:[af](?![a-z0-9])|(?=a[A-Z])|(?![0-9x]))"
    r"|(?<![a-z])(kepler|maxwell|pascal|volta|turing|ampere|ada|hopper|blackwell)_",
    re.IGNORECASE,
)
_CODENAMES = {"kepler": "sm35", "maxwell": "sm50", "pascal": "sm60", "volta": "sm70",
              "turing": "sm75", "ampere": "sm80", "ada": "sm89", "hopper": "sm90",
              "blackwell": "sm100"}  # fmt: skip
_KNOWN = range(30, 130)
"""`SM_750_800_..._NS`, the list of what a library was built for, counts in tenths of these."""


def generation_in_name(symbol: str) -> str | None:
    """The NVIDIA architecture that a symbol states (`sm80`), or None where it states none.

    A namespace that lists every architecture a library was built for states none, and neither
    does a tuning policy such as CUB's `Policy800`.
    """
    for match in _TOKEN.finditer(symbol):
        digits, codename = match.groups()
        if codename:
            return _CODENAMES[codename.lower()]
        if int(digits) in _KNOWN:
            return f"sm{digits}"
    return None
