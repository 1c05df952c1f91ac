import re
import time

import pytest

from probes.kernel_table.labels import (
    RULES,
    SHARE_OF,
    SHARES,
    UNKNOWN,
    Rule,
    deciding_rule,
    generation_in_name,
    label_of_symbol,
)
from probes.kernel_table.operators import OPERATOR_LABELS, label_of_operator

ELEMENTWISE = "void at::native::vectorized_elementwise_kernel<4, "


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.label}-{rule.pattern[:30]}")
def test_every_rule_decides_its_own_example(rule: Rule) -> None:
    assert deciding_rule(rule.example) is rule


def test_every_label_is_in_exactly_one_share() -> None:
    labels = [label for labels in SHARES.values() for label in labels]
    assert len(labels) == len(set(labels))
    assert {rule.label for rule in RULES} | {UNKNOWN} == set(labels)
    assert {label for _, label in OPERATOR_LABELS} <= set(SHARE_OF)


@pytest.mark.parametrize(
    ("symbol", "label"),
    [
        ("void fbgemm_gpu::permute_2D_lengths_kernel<int>(int, int)", "indexing"),
        ("void fbgemm_gpu::something_new_kernel<int>(int)", UNKNOWN),
        ("std::enable_if<_typeConvert<c10::BFloat16>::exists>::type fused_add_rms_norm_kernel<8>",
         "norm"),
        ("void my::_typeConvert<int>(int*)", UNKNOWN),
        ("kernel_cutlass_kernel_gemm_tensorptrbf16gmemalign16", "gemm"),
        ("kernel_cutlass_flash_fwd_FlashAttentionForwardSm100_tensorptrbf16gmemalign16",
         "attention_forward"),
        ("kernel_cutlass_rmsnorm_tensorptrbf16gmemalign16", "norm"),
        ("kernel_cutlass_kernel_tensorptrbf16gmemalign16", UNKNOWN),
        ("void cub::DeviceRadixSortHistogramKernel<cub::DeviceRadixSortPolicy<long>::Policy800>",
         "sort_scan"),
        ("triton_poi_fused_addmm_native_layer_norm_relu_2", "elementwise"),
        ("triton_per_fused__softmax_addmm_1", "reduction"),
        ("triton_tem_fused_addmm_0", "gemm"),
        ("hipMemcpyWithStream", "copy"),
        ("MEMORY_COPY_DEVICE_TO_HOST", "copy"),
        ("__amd_rocclr_copyBuffer.kd", "copy"),
        ("hip_custom_kernel", UNKNOWN),
        ("void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16>", "copy"),
        ("void vllm::rotary_embedding_kernel<c10::BFloat16>", "elementwise"),
    ],
)  # fmt: skip
def test_traps(symbol: str, label: str) -> None:
    assert label_of_symbol(symbol) == label


@pytest.mark.parametrize(
    ("symbol", "label"),
    [
        ("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<>)",
         "attention_forward"),
        ("fmha_cutlassB_bf16_aligned_64x64_k64_sm80", "attention_backward"),
        ("_attn_fwd", "attention_forward"),
        ("_attn_bwd_preprocess", "attention_backward"),
        ("void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<int>>>",
         "attention_forward"),
        ("void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnBwdSm90<int>>>",
         "attention_backward"),
        ("_ZN7ck_tile6kentryILi256ELi2ENS_13FmhaFwdKernelINS_26BlockFmhaPipelineQRKSVSAsync",
         "attention_forward"),
        ("_ZN7ck_tile6kentryILi256ELi1ENS_21FmhaBwdDQDKDVKernelI", "attention_backward"),
        ("cudnn_generated_fort_native_sdpa_sm80_flash_fprop_f16_knob_3", "attention_forward"),
        ("fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausal", "attention_forward"),
        ("void flash_bwd_convert_dq_kernel<Flash_bwd_kernel_traits<128>>", "attention_backward"),
        ("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64", "gemm"),
        ("ampere_bf16_s16816gemm_bf16_128x64_ldg8_relu_f2f_stages_64x4_tn", "gemm"),
        ("void splitKreduce_kernel<float>(cublasSplitKParams<float>)", "gemm"),
        ("_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalINS5_17GroupProblemShape",
         "grouped_gemm"),
        ("fused_moe_kernel", "grouped_gemm"),
        ("cudnn_ampere_scudnn_128x64_relu_xregs_large_nn_v1", "convolution"),
        ("miopenSp3AsmConv_v21_1_2_gfx9_fp32_f2x3_stride1", "convolution"),
        (ELEMENTWISE + "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&)", "elementwise"),
        (ELEMENTWISE + "at::native::(anonymous namespace)::masked_fill_kernel(int)>",
         "elementwise"),
        (ELEMENTWISE + "at::native::sigmoid_kernel_cuda(int)::{lamb", "elementwise"),
        (ELEMENTWISE + "at::native::FillFunctor<float>", "memset"),
        ("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>", "communication"),
        ("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)", "communication"),
        ("void at::native::multi_tensor_apply_kernel<FusedAdamMathFunctor<float>>", "optimizer"),
        ("kernel0", UNKNOWN),
        ("", UNKNOWN),
    ],
)  # fmt: skip
def test_families(symbol: str, label: str) -> None:
    assert label_of_symbol(symbol) == label


@pytest.mark.parametrize(
    ("symbol", "generation"),
    [
        ("void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128>", "sm75"),
        ("ampere_sgemm_32x32_sliced1x4_tn", "sm80"),
        ("volta_sgemm_128x32_nt", "sm70"),
        ("sm90_xmma_gemm_bf16bf16_bf16f32", "sm90"),
        ("nvjet_sm90_tst_256x128", "sm90"),
        ("fmhaSm100aKernel_QkvE4m3", "sm100"),
        ("bmm_Bfloat16_dynBatch_sm100f", "sm100"),
        ("cudnn_generated_fort_native_sdpa_sm80_flash_fprop", "sm80"),
        ("cutlass3x_sm120_tensorop_gemm", "sm120"),
        ("void cub::Kernel<thrust::THRUST_300001_SM_750_800_860_900_1000_1200_NS::tuple>", None),
        ("void cub::DeviceRadixSortPolicy<long>::Policy800", None),
        ("enable_3x_kernel_for_sm9x", None),
        ("cutlass_tensorop_bf16_s16816fprop", None),
        ("Cijk_Alik_Bljk_BBS_ISA942_MT256", None),
        ("canada_kernel", None),
    ],
)
def test_generation_is_what_the_name_states(symbol: str, generation: str | None) -> None:
    assert generation_in_name(symbol) == generation


@pytest.mark.parametrize(
    ("operator", "label"),
    [
        ("aten::mm", "gemm"),
        ("aten::comm_op", UNKNOWN),
        ("aten::_flash_attention_backward", "attention_backward"),
        ("aten::scaled_dot_product_attention", "attention_forward"),
        ("autograd::engine::evaluate_function: MmBackward0", "gemm"),
        ("aten::_grouped_mm", "grouped_gemm"),
        ("aten::cudnn_convolution", "convolution"),
        ("aten::add_", "elementwise"),
        ("aten::sum", "reduction"),
        ("my_extension::forward", UNKNOWN),
    ],
)
def test_operators(operator: str, label: str) -> None:
    assert label_of_operator(operator) == label


@pytest.mark.parametrize(
    "unit", ["attn", "fmha_", "sm_", "SM_8_", "bmm_", "moe", "a", "{lamb", "("]
)
def test_a_name_of_100_kb_is_labelled_quickly(unit: str) -> None:
    name = unit * (100_000 // len(unit))
    started = time.perf_counter()
    label_of_symbol(name)
    generation_in_name(name)
    assert time.perf_counter() - started < 2


def test_patterns_ignore_case_and_have_no_unbounded_wildcard() -> None:
    for rule in RULES:
        assert rule.regex.flags & re.IGNORECASE
        assert ".*" not in rule.pattern
